import { Table, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './KeyTable.module.css'

export function KeyTable({ keys }: { keys: Key[] }) {
  const [selected, setSelected] = useState<Key | null>(null)
  const [confirming, { open, close }] = useDisclosure()
  const active = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Caption className={classes.caption}>
          <VisuallyHidden>API keys, active keys first</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">Permissions</Table.Th>
            <Table.Th scope="col">Created</Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...active, ...revoked].map((key) => (
            <Row
              key={key.id}
              apiKey={key}
              onRevoke={() => {
                setSelected(key)
                open()
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      <RevokeDialog apiKey={selected} opened={confirming} onClose={close} />
    </div>
  )
}

function Row({ apiKey: key, onRevoke }: { apiKey: Key; onRevoke(): void }) {
  return (
    <Table.Tr id={key.id} tabIndex={-1} className={classes.row} mod={{ revoked: key.revokedAt !== null }}>
      <Table.Th scope="row" className={classes.key}>
        {key.label}
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
        <span className={classes.dimmed}>by {key.createdBy}</span>
      </Table.Td>
      <Table.Td data-label="Last used">{key.lastUsedAt === null ? 'Never' : <Moment time={key.lastUsedAt} />}</Table.Td>
      <Table.Td data-label="Status">
        {key.revokedAt === null ? (
          <span className={classes.active}>
            Active
            <ChangeButton size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${key.label}`}>
              Revoke
            </ChangeButton>
          </span>
        ) : (
          <>
            Revoked
            <span className={classes.dimmed}>
              <Moment time={key.revokedAt} />
            </span>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

type RevokeDialogProps = { apiKey: Key | null; opened: boolean; onClose(): void }

function RevokeDialog({ apiKey: key, opened, onClose }: RevokeDialogProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.revokeKey(id, keyId),
    onSuccess: async (revoked) => {
      await queries.invalidateQueries({ queryKey: ['keys', id] })
      close()
      notifications.show({ message: `“${revoked.label}” revoked. Requests with this key now fail.` })
    },
  })
  const close = () => {
    revoke.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={`Revoke “${key?.label ?? ''}”?`}
      confirm="Revoke"
      danger
      pending={revoke.isPending}
      error={revoke.error}
      onClosed={() => key && focusIfLost(document.getElementById(key.id))}
      onConfirm={() => key && revoke.mutate(key.id)}
    >
      Anything that uses this key stops working right away. You can’t undo this.
    </ConfirmDialog>
  )
}
