import { Button, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { usePageTitle } from '../parts/page-title.ts'
import classes from '../session/SignIn.module.css'
import { Brand } from './Brand.tsx'

/** For what nothing else deals with: the service is away, or the page itself is at fault. */
export function Problem({ error }: ErrorComponentProps) {
  usePageTitle('Something went wrong')
  const router = useRouter()
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          Something went wrong
        </Title>
        <Text c="dimmed" mb="md">
          {error instanceof Error ? error.message : 'No reason was given.'}
        </Text>
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </div>
    </main>
  )
}
