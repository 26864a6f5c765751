import { Alert } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useOrganization } from '../session/session.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { ConnectionStatus } from './ConnectionStatus.tsx'
import { EndpointAlert } from './EndpointAlert.tsx'
import { Navigation } from './Navigation.tsx'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { InMain } from './Problem.tsx'
import classes from './Shell.module.css'
import { useSessionChanges } from './use-session-changes.ts'

export function Shell() {
  const { active, name, session } = useOrganization()
  useSessionChanges()
  return (
    // Nothing that one person typed or opened is left for another.
    <div key={session.user.email} className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.side}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <OrganizationSwitcher />
        <Navigation />
        <AccountMenu />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <ConnectionStatus />
        {!active && (
          <Alert color="red" mb="lg" title={`${name} is inactive`}>
            Its API keys don’t work and nothing here can be changed until the service operator activates it again.
          </Alert>
        )}
        <EndpointAlert />
        <InMain value={true}>
          <Outlet />
        </InMain>
      </main>
    </div>
  )
}
