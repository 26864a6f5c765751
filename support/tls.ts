import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// Certificates are generated on the fly: nothing in the repository expires, and openssl isn't needed.

export type Certificate = { cert: string; key: string }
export type Subject = { names: readonly string[]; notBefore?: Date; notAfter?: Date }
export type Authority = {
  /** The CA certificate as PEM, for clients to trust. */
  ca: string
  /** Issues a server certificate for DNS names and IP addresses. */
  issue(subject: Subject): Certificate
}

export function createAuthority(commonName = 'Test authority'): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = distinguishedName(commonName)
  const extensions = [extension('2.5.29.19', true, sequence(boolean(true))), keyUsage(1, 0x06)]
  const ca = certificate({ subject: name, issuer: name, keys, signer: keys.privateKey, extensions, ...validity({}) })
  return {
    ca: ca.cert,
    issue: (subject) => issueFrom(subject, { name, key: keys.privateKey }),
  }
}

export function selfSigned(subject: Subject): Certificate {
  return issueFrom(subject, null)
}

function issueFrom(subject: Subject, authority: { name: Buffer; key: KeyObject } | null): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = distinguishedName(subject.names[0] ?? 'unnamed')
  const alternatives = sequence(...subject.names.map(alternativeName))
  return certificate({
    subject: name,
    issuer: authority?.name ?? name,
    keys,
    signer: authority?.key ?? keys.privateKey,
    extensions: [
      extension('2.5.29.19', true, sequence()),
      keyUsage(7, 0x80),
      extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, alternatives),
    ],
    ...validity(subject),
  })
}

const day = 24 * 60 * 60 * 1000

function validity(subject: Partial<Subject>): { notBefore: Date; notAfter: Date } {
  const now = Date.now()
  return { notBefore: subject.notBefore ?? new Date(now - day), notAfter: subject.notAfter ?? new Date(now + day) }
}

type Parts = {
  subject: Buffer
  issuer: Buffer
  keys: { publicKey: KeyObject; privateKey: KeyObject }
  signer: KeyObject
  extensions: Buffer[]
  notBefore: Date
  notAfter: Date
}

function certificate(parts: Parts): Certificate {
  const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ecdsaWithSha256,
    parts.issuer,
    sequence(generalizedTime(parts.notBefore), generalizedTime(parts.notAfter)),
    parts.subject,
    parts.keys.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...parts.extensions)),
  )
  const der = sequence(toBeSigned, ecdsaWithSha256, bitString(sign('sha256', toBeSigned, parts.signer)))
  return {
    cert: new X509Certificate(der).toString(),
    key: parts.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectIdentifier('2.5.4.3'), tagged(0x0c, Buffer.from(commonName)))))
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0
    ? tagged(0x82, Buffer.from(name, 'ascii'))
    : tagged(0x87, Buffer.from(ipaddr.parse(name).toByteArray()))
}

function keyUsage(unusedBits: number, bits: number): Buffer {
  return extension('2.5.29.15', true, tagged(0x03, Buffer.from([unusedBits, bits])))
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), tagged(0x04, value))
}

function objectIdentifier(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

function generalizedTime(time: Date): Buffer {
  return tagged(0x18, Buffer.from(`${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`))
}

function integer(bytes: Buffer): Buffer {
  // In DER a leading one bit is a minus sign, and a leading zero byte is only allowed where it is needed.
  const positive = Buffer.from(bytes)
  positive[0] = (positive[0] ?? 0) & 0x7f || 1
  return tagged(0x02, positive)
}

function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]))
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

function sequence(...items: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(items))
}

function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
