import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { api } from '../api.ts'
import { IconClock } from '../icons/icons.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from '../shell/Brand.tsx'
import classes from './SignIn.module.css'
import { forgetSession, sessionQuery } from './session.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  usePageTitle('Sign in')
  const { next, ended } = route.useSearch()
  const router = useRouter()
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationKey: ['sign-in'],
    mutationFn: api.signIn,
    onSuccess: (session) => {
      forgetSession(queries)
      queries.setQueryData(sessionQuery.queryKey, session)
      router.history.push(next ?? '/settings')
    },
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    signIn.mutate({ email: String(fields.get('email')).trim(), password: String(fields.get('password')) })
  }

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          Sign in
        </Title>
        {ended && !signIn.isError && (
          <Alert color="gray" icon={<IconClock aria-hidden />} mb="md" role="status">
            Your session has ended. Sign in to continue.
          </Alert>
        )}
        <form onSubmit={submit}>
          <Stack gap="md">
            <ErrorAlert error={signIn.error} />
            <TextInput
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              size="md"
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              size="md"
            />
            <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      </div>
    </main>
  )
}
