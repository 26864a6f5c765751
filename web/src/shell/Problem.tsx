import { Button, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { ApiError } from '../api.ts'
import { usePageTitle } from '../parts/page-title.ts'
import classes from '../session/SignIn.module.css'
import { Brand } from './Brand.tsx'

/** Whether there is a <main> around: a page has only one. */
export const InMain = createContext(false)

/** The last resort: the service is down, or the page has a bug. */
export function Problem({ error }: ErrorComponentProps) {
  usePageTitle('Something went wrong')
  const router = useRouter()
  const Frame = useContext(InMain) ? 'div' : 'main'
  return (
    <Frame className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          Something went wrong
        </Title>
        <Text c="dimmed" mb="md">
          {error instanceof ApiError ? error.message : 'There is a bug in this page. Try again, or reload the page.'}
        </Text>
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </div>
    </Frame>
  )
}
