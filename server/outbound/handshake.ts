import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { describeFailure, late } from './connection-failures.ts'
import type { Destination } from './destination.ts'
import { towards, trust } from './tls.ts'

export type Handshake = {
  ok: boolean
  detail: string | null
  protocol: string | null
  certificate: Certificate | null
}

export type Certificate = { subject: string; issuer: string; validFrom: string; validTo: string; daysLeft: number }

/** Connects as a delivery would and looks at the certificate. Nothing is sent but the handshake itself. */
export function shakeHands(
  destination: Destination,
  { extraCa, signal, now }: { extraCa?: string; signal: AbortSignal; now: Date },
): Promise<Handshake> {
  const { hostname } = destination
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  let connected = false
  // Whatever the certificate is, so that it can be shown: what a delivery would say to it is asked below.
  const socket = connect({ ...towards(destination, trust(extraCa)), rejectUnauthorized: false })

  signal.addEventListener('abort', expire, { once: true })
  if (signal.aborted) expire()
  socket.once('connect', () => {
    connected = true
  })
  socket.once('secureConnect', () => {
    const certificate = readCertificate(socket.getPeerCertificate(), now)
    const fault = faultOf(socket, hostname)
    finish({ ok: fault === null, detail: fault, protocol: socket.getProtocol(), certificate })
  })
  socket.on('error', (error) => {
    finish({ ...nothing, detail: describeFailure(error, { hostname, inHandshake: connected }).detail })
  })
  return promise

  function expire() {
    finish({ ...nothing, detail: connected ? late.handshake : late.connect })
  }

  function finish(handshake: Handshake) {
    signal.removeEventListener('abort', expire)
    socket.destroy()
    resolve(handshake)
  }
}

const nothing: Handshake = { ok: false, detail: null, protocol: null, certificate: null }

function faultOf(socket: TLSSocket, hostname: string): string | null {
  if (socket.authorized) return null
  // Declared as an error, but it is the code alone.
  const code = String(socket.authorizationError)
  return describeFailure(Object.assign(new Error(code), { code }), { hostname, inHandshake: true }).detail
}

function readCertificate(certificate: Partial<PeerCertificate>, now: Date): Certificate | null {
  const { subject, issuer, valid_from: from, valid_to: to } = certificate
  if (from === undefined || to === undefined) return null
  const validTo = new Date(to)
  return {
    subject: nameIn(subject) ?? certificate.subjectaltname ?? '',
    issuer: nameIn(issuer) ?? '',
    validFrom: new Date(from).toISOString(),
    validTo: validTo.toISOString(),
    daysLeft: Math.floor((validTo.getTime() - now.getTime()) / 86_400_000),
  }
}

function nameIn(holder: PeerCertificate['subject'] | undefined): string | null {
  const name = holder?.CN ?? holder?.O
  return name === undefined ? null : [name].flat().join(', ')
}
