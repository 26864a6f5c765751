import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { api } from '../api.ts'
import { IconCircleCheck } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { EmailInput } from './EmailInput.tsx'
import { SignInFrame } from './SignInFrame.tsx'

export function ForgotPassword() {
  const options = useQuery({ queryKey: ['sign-in-options'], queryFn: api.signInOptions })
  return (
    <SignInFrame title="Forgot password?">
      <Stack gap="md">
        {options.isPending && <Skeleton height={120} />}
        <ErrorAlert error={options.error} onRetry={() => void options.refetch()} />
        {options.data?.mail === true && <AskForLink />}
        {options.data?.mail === false && (
          <Text>
            This server sends no email. Ask an admin of your organization for a reset link. They can create one on the
            Members page.
          </Text>
        )}
        <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />} size="sm" ta="center">
          Back to sign-in
        </Anchor>
      </Stack>
    </SignInFrame>
  )
}

function AskForLink() {
  const request = useMutation({ mutationFn: api.requestReset })
  if (request.isSuccess) {
    return (
      <Alert color="teal" icon={<IconCircleCheck aria-hidden />} role="status">
        If {request.variables.email} has an account, a link is on its way. Check your spam folder if it doesn’t arrive.
      </Alert>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    request.mutate({ email: String(new FormData(event.currentTarget).get('email')).trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <ErrorAlert error={request.error} />
        <EmailInput />
        <Button type="submit" size="md" fullWidth loading={request.isPending}>
          Send reset link
        </Button>
      </Stack>
    </form>
  )
}
