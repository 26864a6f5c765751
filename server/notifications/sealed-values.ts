import { type SealedColumn, sealedColumn } from '../endpoints/sealed-columns.ts'

/** What this domain stores encrypted, for changing SECRETS_KEY. */
export const sealedNotifications: SealedColumn[] = [
  sealedColumn({ table: 'chat_webhooks', key: 'organization_id', column: 'sealed_url', ownerSuffix: ' chat' }),
  // Short-lived: one that can't be read is dropped when it expires.
  sealedColumn({ table: 'outbox', key: 'id', column: 'sealed_values', isExpendable: true }),
]
