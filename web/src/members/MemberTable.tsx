import { ActionIcon, Menu, Table, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { Member } from '../../../server/http/settings/member-schemas.ts'
import { IconDots } from '../icons/icons.tsx'
import { BreakableText } from '../parts/BreakableText.tsx'
import { Moment } from '../parts/Moment.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import type { ShownLink } from './LinkDialog.tsx'
import { type MemberAction, MemberDialog } from './MemberDialog.tsx'
import classes from './MemberTable.module.css'
import { RoleSelect } from './RoleSelect.tsx'

export function MemberTable({ members, onLink }: { members: Member[]; onLink(link: ShownLink): void }) {
  const [selected, setSelected] = useState<{ member: Member; action: MemberAction } | null>(null)
  const [confirming, { open, close }] = useDisclosure()
  return (
    <div className={table.frame}>
      <Table className={table.stacked}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>Members</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Member</Table.Th>
            <Table.Th scope="col">Role</Table.Th>
            <Table.Th scope="col">Last sign-in</Table.Th>
            <Table.Th scope="col">Two-step verification</Table.Th>
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Row
              key={member.id}
              member={member}
              onAction={(action) => {
                setSelected({ member, action })
                open()
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      <MemberDialog selected={selected} opened={confirming} onClose={close} onLink={onLink} />
    </div>
  )
}

function Row({ member, onAction }: { member: Member; onAction(action: MemberAction): void }) {
  const { active, session } = useOrganization()
  const isSelf = member.email === session.user.email
  return (
    <Table.Tr id={member.id} tabIndex={-1} className={table.row}>
      <Table.Th scope="row" className={classes.name}>
        <BreakableText text={member.name} />
        {isSelf && ' (you)'}
        {member.name !== member.email && (
          <span className={table.dimmed}>
            <BreakableText text={member.email} />
          </span>
        )}
      </Table.Th>
      <Table.Td data-label="Role">
        <RoleSelect member={member} isSelf={isSelf} />
      </Table.Td>
      <Table.Td data-label="Last sign-in">
        {member.lastSignInAt === null ? 'Never' : <Moment time={member.lastSignInAt} />}
      </Table.Td>
      <Table.Td data-label="Two-step">{member.secondFactor ? 'On' : 'Off'}</Table.Td>
      <Table.Td className={classes.last}>
        <div className={classes.actions}>
          <Menu position="bottom-end" width={250}>
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label={`Actions for ${member.name}`} disabled={!active}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onAction('reset')}>Create password reset link</Menu.Item>
              <Menu.Item onClick={() => onAction('sign-out')}>Sign out everywhere</Menu.Item>
              {member.secondFactor && (
                <Menu.Item onClick={() => onAction('second-factor')}>Turn off two-step verification</Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => onAction('remove')}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </Table.Td>
    </Table.Tr>
  )
}
