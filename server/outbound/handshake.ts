import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { describeFailure, describeTimeout, type Failure, type Phase } from './connection-failures.ts'
import type { Destination } from './destination.ts'
import { secureContextFor, tlsOptions } from './tls.ts'

export type Handshake = {
  ok: boolean
  code: string | null
  phase: Phase | null
  detail: string | null
  protocol: string | null
  certificate: Certificate | null
}

export type Certificate = { subject: string; issuer: string; validFrom: string; validTo: string; daysLeft: number }

/** Connects as a delivery would and reads the certificate. Sends nothing but the handshake. */
export function performHandshake(
  destination: Destination,
  { extraCa, signal, now }: { extraCa: string | null; signal: AbortSignal; now: Date },
): Promise<Handshake> {
  const { hostname } = destination
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  let phase: Phase = 'connect'
  // Accepts any certificate so it can be displayed; certificateFault checks whether a delivery would accept it.
  const socket = connect({ ...tlsOptions(destination, secureContextFor(extraCa)), rejectUnauthorized: false })

  signal.addEventListener('abort', expire, { once: true })
  if (signal.aborted) expire()
  socket.once('connect', () => {
    phase = 'handshake'
  })
  socket.once('secureConnect', () => {
    const certificate = readCertificate(socket.getPeerCertificate(), now)
    finish({ ...outcomeOf(certificateFault(socket, hostname)), protocol: socket.getProtocol(), certificate })
  })
  socket.on('error', (error) => fail(describeFailure(error, { hostname, phase })))
  return promise

  function expire() {
    fail(describeTimeout(phase))
  }

  function fail(failure: Failure) {
    finish({ ...outcomeOf(failure), protocol: null, certificate: null })
  }

  function finish(handshake: Handshake) {
    signal.removeEventListener('abort', expire)
    socket.destroy()
    resolve(handshake)
  }
}

function certificateFault(socket: TLSSocket, hostname: string): Failure | null {
  if (socket.authorized) return null
  // Typed as an Error, but it is only the code.
  const code = String(socket.authorizationError)
  return describeFailure(Object.assign(new Error(code), { code }), { hostname, phase: 'handshake' })
}

function outcomeOf(failure: Failure | null): Pick<Handshake, 'ok' | 'code' | 'phase' | 'detail'> {
  if (failure === null) return { ok: true, code: null, phase: null, detail: null }
  const { code, phase, detail } = failure
  return { ok: false, code, phase, detail }
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
