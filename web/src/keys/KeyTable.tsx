import { Button, Table, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './KeyTable.module.css'

export function KeyTable({ keys }: { keys: Key[] }) {
  const [chosen, setChosen] = useState<Key | null>(null)
  const [asking, { open, close }] = useDisclosure()
  const inUse = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Caption className={classes.caption}>
          <VisuallyHidden>API keys, those in use first</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">Scopes</Table.Th>
            <Table.Th scope="col">Made</Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...inUse, ...revoked].map((key) => (
            <Row
              key={key.id}
              of={key}
              onRevoke={() => {
                setChosen(key)
                open()
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Revocation of={chosen} opened={asking} onClose={close} />
    </div>
  )
}

function Row({ of: key, onRevoke }: { of: Key; onRevoke(): void }) {
  return (
    <Table.Tr className={classes.row} mod={{ revoked: key.revokedAt !== null }}>
      <Table.Th scope="row" className={classes.key}>
        {key.label}
        <span className={classes.prefix}>{key.prefix}</span>
      </Table.Th>
      <Table.Td data-label="Scopes">
        {key.legacy ? (
          <span className={classes.legacy}>
            <IconAlertTriangle size={16} stroke={2} aria-hidden /> all scopes (legacy): replace
          </span>
        ) : (
          <ul className={classes.scopes}>
            {key.scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        )}
      </Table.Td>
      <Table.Td data-label="Made">
        <Moment time={key.createdAt} />
        <span className={classes.soft}>by {key.createdBy}</span>
      </Table.Td>
      <Table.Td data-label="Last used">{key.lastUsedAt === null ? 'Never' : <Moment time={key.lastUsedAt} />}</Table.Td>
      <Table.Td data-label="Status">
        {key.revokedAt === null ? (
          <span className={classes.active}>
            Active
            <Button size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${key.label}`}>
              Revoke
            </Button>
          </span>
        ) : (
          <>
            Revoked
            <span className={classes.soft}>
              <Moment time={key.revokedAt} />
            </span>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

type RevocationProps = { of: Key | null; opened: boolean; onClose(): void }

function Revocation({ of: key, opened, onClose }: RevocationProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.revokeKey(id, keyId),
    onSuccess: async (revoked) => {
      await queries.invalidateQueries({ queryKey: ['keys', id] })
      close()
      notifications.show({ message: `“${revoked.label}” is revoked and refused from now on.` })
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
      onConfirm={() => key && revoke.mutate(key.id)}
    >
      Whatever uses this key is refused at once. A revoked key cannot be brought back: make a new one instead.
    </ConfirmDialog>
  )
}
