import { Anchor, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, errorOf } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'

export function RequireSecondFactor() {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const security = useQuery({ queryKey: ['security', id], queryFn: () => api.security(id) })
  const save = useMutation({
    mutationFn: (requiresSecondFactor: boolean) => api.saveSecurity(id, { requiresSecondFactor }),
    onSuccess: (saved) => {
      queries.setQueryData(['security', id], saved)
      const state = saved.requiresSecondFactor ? 'required' : 'optional'
      notifications.show({ message: `Two-step verification is now ${state}.` })
    },
  })
  const required = security.data?.requiresSecondFactor ?? false
  return (
    <Card
      title="Two-step verification"
      description="When it’s required, members must set it up before they can see this organization."
      aside={security.data && (required ? 'Required' : 'Optional')}
    >
      <Stack gap="md" align="flex-start">
        {security.isPending && <Skeleton height={36} width={220} />}
        <ErrorAlert error={security.error ?? save.error} />
        {errorOf(save.error, 'own_second_factor_first') && (
          <Anchor
            renderRoot={(props) => <Link to="/$organizationId/account" params={{ organizationId: id }} {...props} />}
          >
            Set up two-step verification
          </Anchor>
        )}
        {security.data && (
          <ChangeButton
            {...(required && { variant: 'default' })}
            loading={save.isPending}
            onClick={() => save.mutate(!required)}
          >
            {required ? 'Make optional' : 'Require for everyone'}
          </ChangeButton>
        )}
      </Stack>
    </Card>
  )
}
