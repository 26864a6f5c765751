import { Button, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { usePageTitle } from '../parts/page-title.ts'
import classes from '../session/SignIn.module.css'
import { Brand } from './Brand.tsx'

/** The last resort: the service is down, or the page has a bug. */
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
          {error instanceof Error ? error.message : 'Unknown error.'}
        </Text>
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </div>
    </main>
  )
}
