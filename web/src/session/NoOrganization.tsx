import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../parts/Button.tsx'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from '../shell/Brand.tsx'
import classes from './SignIn.module.css'
import { sessionQuery } from './session.ts'
import { useSignOut } from './sign-out.ts'

/** For someone who can sign in but isn't a member of any organization. */
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
          {session?.user.email} isn’t a member of any organization. Ask the service operator to add you, then sign in
          again.
        </Text>
        <Button variant="default" onClick={() => signOut.mutate()} loading={signOut.isPending}>
          Sign out
        </Button>
      </div>
    </main>
  )
}
