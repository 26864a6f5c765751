import { isIP } from 'node:net'
import {
  type ConnectionOptions,
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls'
import type { Destination } from './destination.ts'

/** Whose certificates are taken: those of the world's authorities, and of one more where the operator says so. */
export function trust(extraCa: string | undefined): SecureContext {
  const ca = extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** To the vetted address and nowhere else; the name is only what the certificate must be made out to. */
export function towards({ address, hostname, port }: Destination, secureContext: SecureContext): ConnectionOptions {
  return {
    host: address,
    port,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate),
    secureContext,
    ALPNProtocols: ['http/1.1'],
  }
}
