import type { ListenToken, ListenTokenPage, MintedListenToken } from '../../../server/http/settings/listen-schemas.ts'
import type { Key, KeyChange, KeyPage, KeyRotation, MintedKey, NewKey } from '../../../server/http/settings/schemas.ts'
import { at, send } from './request.ts'

/** API keys and listen tokens. */
export const keysApi = {
  keys: (organizationId: string, cursor: string | null) =>
    send<KeyPage>('GET', at(organizationId, '/keys', cursor === null ? {} : { cursor })),
  createKey: (organizationId: string, key: NewKey) => send<MintedKey>('POST', at(organizationId, '/keys'), key),
  editKey: (organizationId: string, keyId: string, change: KeyChange) =>
    send<Key>('PATCH', at(organizationId, `/keys/${encodeURIComponent(keyId)}`), change),
  rotateKey: (organizationId: string, keyId: string, rotation: KeyRotation) =>
    send<MintedKey>('POST', at(organizationId, `/keys/${encodeURIComponent(keyId)}/successor`), rotation),
  revokeKey: (organizationId: string, keyId: string) =>
    send<Key>('POST', at(organizationId, `/keys/${encodeURIComponent(keyId)}/revocation`)),
  listenTokens: (organizationId: string, cursor: string | null) =>
    send<ListenTokenPage>('GET', at(organizationId, '/listen-tokens', cursor === null ? {} : { cursor })),
  createListenToken: (organizationId: string) => send<MintedListenToken>('POST', at(organizationId, '/listen-tokens')),
  revokeListenToken: (organizationId: string, tokenId: string) =>
    send<ListenToken>('POST', at(organizationId, `/listen-tokens/${encodeURIComponent(tokenId)}/revocation`)),
}
