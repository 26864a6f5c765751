import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { createAuthority } from './tls.ts'

export type IdentityProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The CA that signed its certificate, as PEM. */
  ca: string
  close(): Promise<void>
}

/** A real OpenID provider on loopback. Whoever enters an email address as the login has that address. */
export async function startIdentityProvider({ redirectUri }: { redirectUri: string }): Promise<IdentityProvider> {
  const authority = createAuthority()
  const server = createServer(authority.issue({ names: ['127.0.0.1'] }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `https://127.0.0.1:${port}`
  const client = { clientId: 'settings', clientSecret: 'a secret of the provider and the service' }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['for a test'] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: id, email_verified: true, name: `Somebody at ${id.split('@')[1]}` }),
    }),
  })
  server.on('request', provider.callback())
  return {
    issuer,
    ...client,
    ca: authority.ca,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
