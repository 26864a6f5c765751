const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n'

const clientHello = [
  '\x16\x03\x01\x00\x4b\x01\x00\x00\x47\x03\x03',
  'r'.repeat(32),
  '\x00\x00\x04\x13\x01\x13\x02\x01\x00\x00\x1a\x00\x00\x00\x06\x00\x04\x00\x00\x01a',
  '\x00\x2b\x00\x03\x02\x03\x04\x00\x0a\x00\x04\x00\x02\x00\x1d',
].join('')

/** What an HTTP port gets from programs that speak another protocol, or want to switch to one. */
export const otherProtocols: Readonly<Record<string, string>> = {
  CONNECT: 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
  'CONNECT and more': `CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n${clientHello}`,
  'CONNECT to a path': 'CONNECT /v1/templates HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT to nothing': 'CONNECT  HTTP/1.1\r\n\r\n',
  'a WebSocket': `${upgrade}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  'a WebSocket with frames': `${upgrade}Upgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n\x81\x85\0\0\0\0hello\x88\x80\0\0\0\0`,
  'an upgrade to h2c': `${upgrade}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
  'an upgrade of POST':
    'POST /v1/templates HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\n{}',
  'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'a TLS hello': clientHello,
  'half a TLS hello': clientHello.slice(0, 20),
  'a TLS alert': '\x15\x03\x01\0\x02\x02\x28',
  SSH: 'SSH-2.0-OpenSSH_9.6\r\n',
  SMTP: 'EHLO a\r\nMAIL FROM:<a@example.com>\r\n',
  Redis: '*1\r\n$4\r\nPING\r\n',
  PostgreSQL: '\0\0\0\x08\x04\xd2\x16\x2f',
  'the PROXY protocol': 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'the PROXY protocol, version 2': '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\x05\x06\x07\x08\0\x01\0\x02',
  RTSP: 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n',
  'a response': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
}
