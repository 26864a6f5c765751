import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from '../shell/Brand.tsx'
import classes from './SignIn.module.css'
import { sessionQuery } from './session.ts'
import { useSignOut } from './sign-out.ts'

/** For somebody who may sign in, but is a member of nothing (any more). */
export function NoOrganization() {
  usePageTitle('No organization')
  const { data: session } = useQuery(sessionQuery)
  const signOut = useSignOut()

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          No organization yet
        </Title>
        <Text c="dimmed" mb="lg">
          {session?.user.email} is not a member of any organization. Ask an operator of the service to add you, then
          sign in again.
        </Text>
        <Button variant="default" onClick={() => signOut.mutate()} loading={signOut.isPending}>
          Sign out
        </Button>
      </div>
    </main>
  )
}
