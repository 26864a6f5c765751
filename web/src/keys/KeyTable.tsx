import { Table, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { ListedKey } from '../../../server/http/settings/schemas.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { BreakableText } from '../parts/BreakableText.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { useNow } from '../parts/clock.ts'
import { Moment } from '../parts/Moment.tsx'
import table from '../parts/Table.module.css'
import { toTheSecond, untilShort } from '../parts/times.ts'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import classes from './KeyTable.module.css'
import { KeyUsage } from './KeyUsage.tsx'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'

type Action = 'edit' | 'rotate' | 'revoke'

export function KeyTable({ keys }: { keys: ListedKey[] }) {
  const now = useNow()
  const [selected, setSelected] = useState<ListedKey | null>(null)
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  const dialog = (name: Action) => ({ apiKey: selected, opened: action === name, onClose: close })
  const active = keys.filter((key) => statusOf(key, now) === 'active')
  const ended = keys.filter((key) => statusOf(key, now) !== 'active')
  return (
    <div className={table.frame}>
      <Table className={table.stacked}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>API keys, active keys first</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">Permissions</Table.Th>
            <Table.Th scope="col">Created</Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col">Requests, 24 hours</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...active, ...ended].map((key) => (
            <Row
              key={key.id}
              apiKey={key}
              onAction={(action) => {
                setSelected(key)
                setAction(action)
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      <EditKeyDialog {...dialog('edit')} />
      <RotateKeyDialog {...dialog('rotate')} />
      <RevokeKeyDialog {...dialog('revoke')} />
    </div>
  )
}

type RowProps = { apiKey: ListedKey; onAction(action: Action): void }

function Row({ apiKey: key, onAction }: RowProps) {
  const status = statusOf(key, useNow())
  return (
    <Table.Tr id={key.id} tabIndex={-1} className={table.row} mod={{ ended: status !== 'active' }}>
      <Table.Th scope="row" className={classes.key}>
        <bdi>{key.label}</bdi>
        <span className={classes.prefix}>{key.prefix}</span>
      </Table.Th>
      <Table.Td data-label="Permissions">
        {key.legacy ? (
          <span className={classes.legacy}>
            <IconAlertTriangle size={16} stroke={2} aria-hidden /> All permissions (legacy): replace this key
          </span>
        ) : (
          <ul className={classes.scopes}>
            {key.scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        )}
      </Table.Td>
      <Table.Td data-label="Created">
        <Moment time={key.createdAt} />
        <span className={table.dimmed}>
          by <BreakableText text={key.createdBy} />
        </span>
      </Table.Td>
      <Table.Td data-label="Last used">
        {key.lastUsedAt === null ? 'Never' : <Moment time={key.lastUsedAt} />}
        {key.lastUsedAddress && (
          <span className={table.dimmed}>
            from <BreakableText text={key.lastUsedAddress} />
          </span>
        )}
      </Table.Td>
      <Table.Td data-label="Requests">
        <KeyUsage usage={key.usage} />
      </Table.Td>
      <Table.Td data-label="Status">
        <Status apiKey={key} />
        {status === 'active' && (
          <span className={classes.actions}>
            <KeyButton label="Edit" apiKey={key} onClick={() => onAction('edit')} />
            <KeyButton label="Rotate" apiKey={key} onClick={() => onAction('rotate')} />
            <KeyButton label="Revoke" apiKey={key} onClick={() => onAction('revoke')} />
          </span>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function KeyButton({ label, apiKey, onClick }: { label: string; apiKey: ListedKey; onClick(): void }) {
  return (
    <ChangeButton size="compact-sm" variant="default" onClick={onClick} aria-label={`${label} ${apiKey.label}`}>
      {label}
    </ChangeButton>
  )
}

function Status({ apiKey: { revokedAt, expiresAt, successorId } }: { apiKey: ListedKey }) {
  const now = useNow()
  const time = revokedAt ?? expiresAt
  const status = statusOf({ revokedAt, expiresAt }, now)
  return (
    <>
      {statusLabels[status]}
      {time !== null && (
        <span className={table.dimmed}>
          {status === 'active' ? (
            <time dateTime={time} title={toTheSecond(time)}>
              {successorId === null ? 'Expires' : 'Replaced, ends'} {untilShort(time, now)}
            </time>
          ) : (
            <Moment time={time} />
          )}
        </span>
      )}
    </>
  )
}

const statusLabels = { active: 'Active', expired: 'Expired', revoked: 'Revoked' }

function statusOf({ revokedAt, expiresAt }: Pick<ListedKey, 'revokedAt' | 'expiresAt'>, now: number) {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}
