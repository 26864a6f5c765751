import { Table, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MemberInvitation } from '../../../server/http/settings/member-schemas.ts'
import { api } from '../api.ts'
import { BreakableText } from '../parts/BreakableText.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { useNow } from '../parts/clock.ts'
import { focusIfLost, pageContent } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import table from '../parts/Table.module.css'
import { inFull } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import type { ShownLink } from './LinkDialog.tsx'
import classes from './MemberTable.module.css'
import { roleLabels } from './roles.ts'

type InvitationTableProps = { invitations: MemberInvitation[]; onLink(link: ShownLink): void }

export function InvitationTable({ invitations, onLink }: InvitationTableProps) {
  return (
    <div className={table.frame}>
      <Table className={table.stacked}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>Open invitations</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Email</Table.Th>
            <Table.Th scope="col">Role</Table.Th>
            <Table.Th scope="col">Invited</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Row key={invitation.id} invitation={invitation} onLink={onLink} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Row({ invitation, onLink }: { invitation: MemberInvitation; onLink(link: ShownLink): void }) {
  const { id } = useOrganization()
  const now = useNow()
  const queries = useQueryClient()
  const { email } = invitation
  const refresh = () => queries.invalidateQueries({ queryKey: ['members', id] })
  const fail = (error: Error) => notifications.show({ color: 'red', message: error.message })
  const resend = useMutation({
    mutationFn: () => api.renewInvitation(id, invitation.id),
    onError: fail,
    onSuccess: async ({ invitation: { expiresAt }, url }) => {
      await refresh()
      onLink({ kind: 'invitation', email, url, expiresAt })
    },
  })
  const withdraw = useMutation({
    mutationFn: () => api.withdrawInvitation(id, invitation.id),
    onError: fail,
    onSuccess: async () => {
      await refresh()
      focusIfLost(pageContent())
      notifications.show({ message: `Invitation for ${email} withdrawn.` })
    },
  })
  const isOpen = Date.parse(invitation.expiresAt) > now
  return (
    <Table.Tr className={table.row}>
      <Table.Th scope="row" className={classes.name}>
        <BreakableText text={email} />
      </Table.Th>
      <Table.Td data-label="Role">{roleLabels[invitation.role]}</Table.Td>
      <Table.Td data-label="Invited">
        <Moment time={invitation.createdAt} />
        <span className={table.dimmed}>
          by <BreakableText text={invitation.invitedBy} />
        </span>
      </Table.Td>
      <Table.Td data-label="Status">
        {isOpen ? 'Open' : 'Expired'}
        {isOpen && <span className={table.dimmed}>until {inFull(invitation.expiresAt, now)}</span>}
      </Table.Td>
      <Table.Td className={classes.last}>
        <div className={classes.actions}>
          <ChangeButton
            size="compact-sm"
            variant="default"
            loading={resend.isPending}
            onClick={() => resend.mutate()}
            aria-label={`New link for ${email}`}
          >
            New link
          </ChangeButton>
          <ChangeButton
            size="compact-sm"
            variant="default"
            loading={withdraw.isPending}
            onClick={() => withdraw.mutate()}
            aria-label={`Withdraw the invitation for ${email}`}
          >
            Withdraw
          </ChangeButton>
        </div>
      </Table.Td>
    </Table.Tr>
  )
}
