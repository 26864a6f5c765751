import { Alert } from '@mantine/core'
import { IconCircleOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { useOrganization } from '../session/session.ts'

/** Why nothing new comes, for the admin who wonders. */
export function WebhookOff() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['webhook', id], queryFn: () => api.webhook(id) })
  if (current.data?.webhook?.enabled !== false) return null
  return (
    <Alert color="gray" icon={<IconCircleOff aria-hidden />} mb="lg">
      The webhook is disabled: results completed now are not sent.{' '}
      <Link to="/$organizationId/webhook" params={{ organizationId: id }}>
        Enable it
      </Link>
    </Alert>
  )
}
