import { authorizationCodeRequest, createAuthorizationURL } from 'better-auth/oauth2'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { RequestJson } from '../outbound/request-json.ts'

/** What an identity provider says about itself. */
export type Provider = {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  jwksUri: string
  userinfoEndpoint: string | null
  acceptsBasic: boolean
}

export type Fault = { fault: string }

/** OpenID Connect Discovery. The issuer must name itself exactly as the organization does. */
export async function discover(requestJson: RequestJson, issuer: string): Promise<Provider | Fault> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await requestJson({ method: 'GET', url })
  if (!document.ok) return { fault: document.detail }
  if (document.status !== 200) return { fault: `${url} responded with HTTP ${document.status}` }
  const found = textsIn(document.body)
  if (found.issuer !== issuer) return { fault: `it calls itself ${shortened(found.issuer)} instead of ${issuer}` }
  const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint, jwks_uri: jwksUri } = found
  if (!isHttps(authorizationEndpoint) || !isHttps(tokenEndpoint) || !isHttps(jwksUri)) {
    return { fault: 'its description lacks an https address for sign-in, tokens or keys' }
  }
  const methods = listIn(document.body, 'token_endpoint_auth_methods_supported')
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    jwksUri,
    userinfoEndpoint: isHttps(found.userinfo_endpoint) ? found.userinfo_endpoint : null,
    // Basic is the default if the list is missing.
    acceptsBasic: methods === null || methods.includes('client_secret_basic'),
  }
}

/** One sign-on, from the redirect to the provider until it sends the browser back. */
export type SignOn = { state: string; nonce: string; codeVerifier: string; redirectUri: string }

export type Client = { clientId: string; clientSecret: string }

export async function authorizationUrl(
  provider: Provider,
  clientId: string,
  { state, nonce, codeVerifier, redirectUri }: SignOn,
  loginHint: string,
): Promise<string> {
  const url = await createAuthorizationURL({
    id: 'oidc',
    options: { clientId },
    authorizationEndpoint: provider.authorizationEndpoint,
    redirectURI: redirectUri,
    scopes: ['openid', 'email', 'profile'],
    state,
    nonce,
    codeVerifier,
    loginHint,
  })
  return url.href
}

export type Identity = { email: string; name: string | null }

/** Exchanges the code and verifies who signed in. */
export async function redeemCode(
  requestJson: RequestJson,
  { provider, client, signOn, code }: { provider: Provider; client: Client; signOn: SignOn; code: string },
): Promise<Identity | Fault> {
  const { body, headers } = await authorizationCodeRequest({
    code,
    codeVerifier: signOn.codeVerifier,
    redirectURI: signOn.redirectUri,
    options: client,
    authentication: provider.acceptsBasic ? 'basic' : 'post',
    tokenEndpoint: provider.tokenEndpoint,
  })
  const tokens = await requestJson({
    method: 'POST',
    url: provider.tokenEndpoint,
    headers: Object.fromEntries(new Headers(headers)),
    body: body.toString(),
  })
  if (!tokens.ok) return { fault: tokens.detail }
  // The body of an error may repeat the code or the secret.
  if (tokens.status !== 200) return { fault: `the token endpoint responded with HTTP ${tokens.status}` }
  const { id_token: idToken, access_token: accessToken } = textsIn(tokens.body)
  if (idToken === undefined) return { fault: 'the token endpoint sent no ID token' }

  const keys = await requestJson({ method: 'GET', url: provider.jwksUri })
  if (!keys.ok) return { fault: keys.detail }
  const claims = await verify(idToken, keys.body, { provider, clientId: client.clientId, nonce: signOn.nonce })
  if (claims === null) return { fault: 'the ID token is not valid' }
  if (typeof claims.email === 'string') return identityIn(claims)

  // Some providers keep the address out of the ID token.
  if (provider.userinfoEndpoint === null || accessToken === undefined) return { fault: 'the ID token has no email' }
  const info = await requestJson({
    method: 'GET',
    url: provider.userinfoEndpoint,
    headers: { authorization: `Bearer ${accessToken}` },
  })
  if (!info.ok) return { fault: info.detail }
  if (!isRecord(info.body) || info.body.sub !== claims.sub) return { fault: 'the user info is about someone else' }
  return identityIn(info.body)
}

// Signatures that only the provider can make. Not HS256: its key is the client secret.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

async function verify(
  idToken: string,
  keys: unknown,
  { provider, clientId, nonce }: { provider: Provider; clientId: string; nonce: string },
): Promise<JWTPayload | null> {
  if (!isKeySet(keys)) return null
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer: provider.issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: 60,
    })
    const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== clientId
    return payload.nonce === nonce && !isForOthers ? payload : null
  } catch {
    return null
  }
}

/** A provider that says nothing about the address is believed: it speaks for its own domain. */
function identityIn(claims: Record<string, unknown>): Identity | Fault {
  const { email, name, email_verified: verified } = claims
  if (typeof email !== 'string') return { fault: 'the provider sent no email address' }
  if (verified === false || verified === 'false') return { fault: 'the provider has not verified the email address' }
  return { email: email.toLowerCase(), name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value.keys) && value.keys.every(isRecord)
}

function textsIn(value: unknown): Record<string, string | undefined> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, typeof text === 'string' ? text : undefined]),
  )
}

function listIn(value: unknown, name: string): unknown[] | null {
  return isRecord(value) && Array.isArray(value[name]) ? value[name] : null
}

const maxUrlLength = 2_000

function isHttps(text: string | undefined): text is string {
  return text !== undefined && text.length <= maxUrlLength && URL.parse(text)?.protocol === 'https:'
}

/** Faults are logged, and a provider may send hundreds of kilobytes. */
function shortened(text = 'nothing'): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`
}
