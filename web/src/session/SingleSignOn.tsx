import { Anchor, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { api } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { EmailInput } from './EmailInput.tsx'
import { SignInFrame } from './SignInFrame.tsx'

const route = getRouteApi('/single-sign-on')

export function SingleSignOn() {
  const { next } = route.useSearch()
  const start = useMutation({
    mutationKey: ['sign-in'],
    mutationFn: (email: string) => api.startSignOn({ email, ...(next !== undefined && { next }) }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    start.mutate(String(new FormData(event.currentTarget).get('email')).trim())
  }
  return (
    <SignInFrame title="Single sign-on">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Enter your work email address to sign in at your organization’s identity provider.
          </Text>
          <ErrorAlert error={start.error} />
          <EmailInput />
          <Button type="submit" size="md" fullWidth loading={start.isPending || start.isSuccess}>
            Continue
          </Button>
          <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />} size="sm" ta="center">
            Sign in with a password
          </Anchor>
        </Stack>
      </form>
    </SignInFrame>
  )
}
