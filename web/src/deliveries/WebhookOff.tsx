import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { IconCircleOff } from '../icons/icons.tsx'
import { useOrganization } from '../session/session.ts'

/** Tells an admin why no new deliveries show up. */
export function WebhookOff() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['webhook', id], queryFn: () => api.webhook(id) })
  if (current.data?.webhook?.enabled !== false) return null
  return (
    <Alert color="gray" icon={<IconCircleOff aria-hidden />} mb="lg">
      The webhook is disabled. New results are not sent.{' '}
      <Link to="/$organizationId/webhook" params={{ organizationId: id }}>
        Enable it
      </Link>
    </Alert>
  )
}
