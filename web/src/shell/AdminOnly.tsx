import { Button, EmptyState } from '@mantine/core'
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router'
import { IconLock } from '../icons/icons.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { pages } from './Navigation.tsx'

/** Tells viewers that a page is for admins. The server enforces it anyway. */
export function AdminOnly() {
  const { id, isAdmin, name } = useOrganization()
  const matches = useMatchRoute()
  if (isAdmin) return <Outlet />
  const page = pages.find(({ to }) => matches({ to, params: { organizationId: id } }))
  return (
    <>
      <PageHead title={page?.label ?? 'Admins only'} />
      <EmptyState
        icon={<IconLock aria-hidden />}
        title="You need to be an admin to view this page"
        description={`You’re a viewer in ${name}, so you can see its deliveries and interviews. Ask an admin if you need more.`}
      >
        <EmptyState.Actions>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/$organizationId/deliveries" params={{ organizationId: id }} {...props} />}
          >
            Show deliveries
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </>
  )
}
