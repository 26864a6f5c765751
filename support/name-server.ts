import { createSocket } from 'node:dgram'

export type NameRecord = { type: 'A' | 'AAAA'; address: string } | { type: 'CNAME'; target: string }

/** How to respond to a query: records, an error code, or not at all. */
export type NameAnswer = NameRecord[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence'

export type NameServer = {
  /** For `resolver.setServers`. */
  address: string
  /** `<type> <name>` of each query. */
  questions: string[]
  close(): Promise<void>
}

const types = { A: 1, CNAME: 5, AAAA: 28 }
const codes = { NXDOMAIN: 3, SERVFAIL: 2 }

/** A DNS server on loopback, over UDP. Like a resolver, it returns a CNAME together with its target's records. */
export async function startNameServer(
  answerFor: (type: 'A' | 'AAAA', name: string) => NameAnswer,
): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    questions.push(`${type} ${name}`)
    const answer = answerFor(type, name)
    if (answer === 'silence') return
    const records = typeof answer === 'string' ? [] : answer
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...writeRecords(name, records)]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(resolve)),
  }
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('ascii', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(offset + 1) === types.A ? 'A' : 'AAAA', end: offset + 5 }
}

function writeRecords(question: string, records: readonly NameRecord[]): Buffer[] {
  let owner = question
  return records.map((record) => {
    const data = record.type === 'CNAME' ? writeName(record.target) : writeAddress(record.address)
    const fields = Buffer.alloc(10)
    fields.writeUInt16BE(types[record.type], 0)
    fields.writeUInt16BE(1, 2)
    fields.writeUInt32BE(60, 4)
    fields.writeUInt16BE(data.length, 8)
    const written = Buffer.concat([writeName(owner), fields, data])
    if (record.type === 'CNAME') owner = record.target
    return written
  })
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function writeAddress(address: string): Buffer {
  if (address.includes('.')) return Buffer.from(address.split('.').map(Number))
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
}
