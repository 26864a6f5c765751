import { NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../../server/http/settings/member-schemas.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './MemberTable.module.css'
import { type Role, roleLabels, toRole } from './roles.ts'

/** Changes a role at once, but asks before your own: an arrow key is enough to choose it, and only others can undo it. */
export function RoleSelect({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { id, name: organization, active } = useOrganization()
  const queries = useQueryClient()
  const [asking, { open, close }] = useDisclosure()
  const change = useMutation({
    mutationFn: (role: Role) => api.changeRole(id, member.id, { role }),
    // The dialog shows its own.
    onError: (error) => isSelf || notifications.show({ color: 'red', message: error.message }),
    onSuccess: (_, role) => {
      close()
      notifications.show({ message: `${member.name} is now ${role === 'admin' ? 'an admin' : 'a viewer'}.` })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: isSelf ? [] : ['members', id] }),
  })
  const choose = (role: Role) => {
    if (isSelf) open()
    else if (!change.isPending) change.mutate(role)
  }
  return (
    <>
      <NativeSelect
        className={classes.role}
        size="xs"
        aria-label={`Role of ${member.name}`}
        // Not disabled while it is stored, which would lose the focus.
        value={change.isPending ? change.variables : member.role}
        disabled={!active}
        onChange={({ currentTarget }) => choose(toRole(currentTarget.value))}
        data={Object.entries(roleLabels).map(([value, label]) => ({ value, label }))}
      />
      <ConfirmDialog
        opened={asking}
        onClose={close}
        title="Become a viewer?"
        confirm="Become a viewer"
        danger
        mutation={change}
        onConfirm={() => change.mutate('viewer')}
      >
        You can’t change anything in {organization} anymore. Only another admin can make you an admin again.
      </ConfirmDialog>
    </>
  )
}
