/** One server-sent event. The data is the bytes as they came. */
export type ServerEvent = { name: string; id: string | null; data: Uint8Array }

const newline = 10
// An event with the largest picture has 1.4 MB.
const maximumLine = 8_000_000

/** Reads a `text/event-stream`. An event that was cut off is dropped. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let name = 'message'
  let id: string | null = null
  let data: Uint8Array | null = null
  for await (const line of linesOf(chunks)) {
    if (line.length === 0) {
      if (data !== null) yield { name, id, data }
      name = 'message'
      id = null
      data = null
      continue
    }
    const [field, value] = fieldOf(line)
    if (field === 'event') name = value.toString()
    if (field === 'id') id = value.toString()
    if (field === 'data') data = value
  }
}

/** A comment has an empty field name. */
function fieldOf(line: Buffer): [name: string, value: Buffer] {
  const colon = line.indexOf(':')
  if (colon < 0) return [line.toString(), Buffer.alloc(0)]
  const from = line[colon + 1] === 0x20 ? colon + 2 : colon + 1
  return [line.toString('utf8', 0, colon), line.subarray(from)]
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)])
      pieces = []
      length = 0
      from = at + 1
    }
    pieces.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maximumLine) throw new Error('The server sent a line that is too long')
  }
}
