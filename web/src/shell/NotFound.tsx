import { Anchor, Text, Title } from '@mantine/core'
import { usePageTitle } from '../parts/page-title.ts'
import classes from '../session/SignIn.module.css'
import { Brand } from './Brand.tsx'

export function NotFound() {
  usePageTitle('Not found')
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          Not found
        </Title>
        <Text c="dimmed" mb="md">
          This page doesn’t exist, or it belongs to an organization you aren’t a member of.
        </Text>
        <Anchor href="/settings">Go to your organization</Anchor>
      </div>
    </main>
  )
}
