import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedKey } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'

type RevokeKeyDialogProps = { apiKey: ListedKey | null; opened: boolean; onClose(): void }

export function RevokeKeyDialog({ apiKey: key, opened, onClose }: RevokeKeyDialogProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.revokeKey(id, keyId),
    onSuccess: async (revoked) => {
      await queries.invalidateQueries({ queryKey: ['keys', id] })
      onClose()
      notifications.show({ message: `“${revoked.label}” revoked. Requests with this key now fail.` })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Revoke “${key?.label ?? ''}”?`}
      confirm="Revoke"
      danger
      mutation={revoke}
      onClosed={() => key && focusIfLost(document.getElementById(key.id))}
      onConfirm={() => key && revoke.mutate(key.id)}
    >
      {key && (
        <>
          The key <code>{key.prefix}</code>{' '}
          {key.lastUsedAt === null ? (
            'has never been used'
          ) : (
            <>
              was last used <Moment time={key.lastUsedAt} />
            </>
          )}
          .{' '}
        </>
      )}
      Anything that uses it stops working right away. You can’t undo this.
    </ConfirmDialog>
  )
}
