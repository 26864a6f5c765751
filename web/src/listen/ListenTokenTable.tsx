import { Table, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListenToken } from '../../../server/http/settings/listen-schemas.ts'
import { api } from '../api.ts'
import { BreakableText } from '../parts/BreakableText.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { useNow } from '../parts/clock.ts'
import { focusIfLost } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import table from '../parts/Table.module.css'
import { inFull } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './ListenTokenTable.module.css'

export function ListenTokenTable({ tokens }: { tokens: ListenToken[] }) {
  const [selected, setSelected] = useState<ListenToken | null>(null)
  const [confirming, { open, close }] = useDisclosure()
  return (
    <div className={table.frame}>
      <Table className={table.stacked}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>Listen tokens, newest first</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Token</Table.Th>
            <Table.Th scope="col">Created</Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Row
              key={token.id}
              token={token}
              onRevoke={() => {
                setSelected(token)
                open()
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      <RevokeDialog token={selected} opened={confirming} onClose={close} />
    </div>
  )
}

function Row({ token, onRevoke }: { token: ListenToken; onRevoke(): void }) {
  const now = useNow()
  const isActive = token.revokedAt === null && Date.parse(token.expiresAt) > now
  return (
    <Table.Tr id={token.id} tabIndex={-1} className={table.row} mod={{ ended: !isActive }}>
      <Table.Th scope="row" className={classes.id}>
        {token.id}
      </Table.Th>
      <Table.Td data-label="Created">
        <Moment time={token.createdAt} />
        <span className={table.dimmed}>
          by <BreakableText text={token.createdBy} />
        </span>
      </Table.Td>
      <Table.Td data-label="Last used">
        {token.lastUsedAt === null ? 'Never' : <Moment time={token.lastUsedAt} />}
      </Table.Td>
      <Table.Td data-label="Status">
        {isActive && (
          <span className={classes.active}>
            <span>
              Active
              <span className={table.dimmed}>until {inFull(token.expiresAt, now)}</span>
            </span>
            <ChangeButton size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${token.id}`}>
              Revoke
            </ChangeButton>
          </span>
        )}
        {!isActive && (token.revokedAt === null ? 'Expired' : 'Revoked')}
      </Table.Td>
    </Table.Tr>
  )
}

type RevokeDialogProps = { token: ListenToken | null; opened: boolean; onClose(): void }

function RevokeDialog({ token, opened, onClose }: RevokeDialogProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (tokenId: string) => api.revokeListenToken(id, tokenId),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['listen-tokens', id] })
      onClose()
      notifications.show({ message: 'Listen token revoked.' })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Revoke this listen token?"
      confirm="Revoke"
      danger
      mutation={revoke}
      onClosed={() => token && focusIfLost(document.getElementById(token.id))}
      onConfirm={() => token && revoke.mutate(token.id)}
    >
      Whoever listens with it is disconnected right away. You can’t undo this.
    </ConfirmDialog>
  )
}
