import { EmptyState } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Outlet } from '@tanstack/react-router'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'

/** What only an admin sees. The service refuses others anyway; this says so before they try. */
export function ForAdmins() {
  const { isAdmin, name } = useOrganization()
  if (isAdmin) return <Outlet />
  return (
    <>
      <PageHead title="For admins" />
      <EmptyState
        icon={<IconLock aria-hidden />}
        title="Only an admin can do this"
        description={`You are a viewer of ${name}: you can look at its deliveries. An admin can do the rest.`}
      />
    </>
  )
}
