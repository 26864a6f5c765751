import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../../server/http/settings/member-schemas.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { focusIfLost, pageContent } from '../parts/focus.ts'
import { useOrganization } from '../session/session.ts'
import type { ShownLink } from './LinkDialog.tsx'

export type MemberAction = 'reset' | 'sign-out' | 'second-factor' | 'remove'

type MemberDialogProps = {
  selected: { member: Member; action: MemberAction } | null
  opened: boolean
  onClose(): void
  onLink(link: ShownLink): void
}

/** Asks before doing something to a member’s account. */
export function MemberDialog({ selected, opened, onClose, onLink }: MemberDialogProps) {
  const { id, name: organization } = useOrganization()
  const queries = useQueryClient()
  const run = useMutation({
    mutationFn: async ({ member, action }: { member: Member; action: MemberAction }): Promise<ShownLink | string> => {
      const { name } = member
      switch (action) {
        case 'reset': {
          const { email, url, expiresAt } = await api.createResetLink(id, member.id)
          return { kind: 'reset', email, url, expiresAt }
        }
        case 'sign-out': {
          const { ended } = await api.signOutMember(id, member.id)
          return ended === 0 ? `${name} wasn’t signed in.` : `${name} has been signed out everywhere.`
        }
        case 'second-factor':
          await api.turnOffSecondFactor(id, member.id)
          return `Two-step verification is off for ${name}.`
        case 'remove':
          await api.removeMember(id, member.id)
          return `${name} is no longer a member.`
      }
    },
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: ['members', id] })
      onClose()
      if (typeof result === 'string') notifications.show({ message: result })
      else onLink(result)
    },
  })
  const { title, text, confirm, danger } = wordsFor(selected, organization)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      confirm={confirm}
      danger={danger}
      mutation={run}
      onClosed={() => selected && focusIfLost(document.getElementById(selected.member.id) ?? pageContent())}
      onConfirm={() => selected && run.mutate(selected)}
    >
      {text}
    </ConfirmDialog>
  )
}

function wordsFor(selected: MemberDialogProps['selected'], organization: string) {
  const name = selected?.member.name ?? ''
  switch (selected?.action) {
    case 'reset':
      return {
        title: `Create a reset link for ${name}?`,
        text: 'Whoever has the link can choose a new password for this account. Send it only to its owner.',
        confirm: 'Create link',
        danger: false,
      }
    case 'sign-out':
      return {
        title: `Sign ${name} out everywhere?`,
        text: 'All their sessions end right away, on every device. They can sign in again.',
        confirm: 'Sign out',
        danger: true,
      }
    case 'second-factor':
      return {
        title: `Turn off two-step verification for ${name}?`,
        text: 'For someone who lost both their authenticator app and their recovery codes. Their sessions end, and they sign in with just the password until they set it up again.',
        confirm: 'Turn off',
        danger: true,
      }
    default:
      return {
        title: `Remove ${name}?`,
        text: `They lose access to ${organization} right away. You can invite them again.`,
        confirm: 'Remove',
        danger: true,
      }
  }
}
