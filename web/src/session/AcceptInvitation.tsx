import { Alert, Anchor, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { OpenInvitation } from '../../../server/http/settings/member-schemas.ts'
import { api, errorOf } from '../api.ts'
import { IconInfoCircle } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'
import { IncompleteLink } from './IncompleteLink.tsx'
import { useLinkToken } from './link-token.ts'
import { passwordError, passwordHint } from './new-password.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { forgetSession } from './session.ts'

type AcceptProps = { token: string; invitation: OpenInvitation; onJoined(): void }

export function AcceptInvitation() {
  const token = useLinkToken()
  return token === '' ? <IncompleteLink title="Invitation" /> : <Accept key={token} token={token} />
}

function Accept({ token }: { token: string }) {
  const queries = useQueryClient()
  const router = useRouter()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.invitation({ token }),
    // Accepting it ends it, here or in another tab.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const enter = () => {
    forgetSession(queries)
    router.history.push('/settings')
  }
  const { data } = invitation
  return (
    <SignInFrame title={data ? `Join ${data.organization}` : 'Invitation'}>
      <Stack gap="md">
        {invitation.isPending && <Skeleton height={200} />}
        <ErrorAlert error={invitation.error} />
        {data && (
          <Text>
            You’ve been invited as {data.role === 'admin' ? 'an admin' : 'a viewer'}, with the address {data.email}.
          </Text>
        )}
        {data?.signedIn === true && <SignedIn token={token} onJoined={enter} />}
        {data?.signedIn === false && <NewAccount token={token} invitation={data} onJoined={enter} />}
      </Stack>
    </SignInFrame>
  )
}

function SignedIn({ token, onJoined }: Omit<AcceptProps, 'invitation'>) {
  const accept = useMutation({ mutationFn: () => api.acceptInvitation({ token }), onSuccess: onJoined })
  return (
    <>
      <ErrorAlert error={accept.error} />
      <Button size="md" fullWidth onClick={() => accept.mutate()} loading={accept.isPending}>
        Join
      </Button>
    </>
  )
}

function NewAccount({ token, invitation, onJoined }: AcceptProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', password: '', again: '' },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter your name' : null),
      password: passwordError,
      again: (value, { password }) => (value === password ? null : 'Passwords don’t match'),
    },
  })
  const accept = useMutation({
    mutationFn: api.acceptInvitation,
    onError: (error) => {
      const weak = errorOf(error, 'weak_password')
      if (weak) form.setErrors({ password: weak.message })
    },
    onSuccess: onJoined,
  })
  if (errorOf(accept.error, 'account_exists')) return <SignInFirst email={invitation.email} />
  return (
    <form
      onSubmit={form.onSubmit(({ name, password }) => accept.mutate({ token, account: { name, password } }))}
      noValidate
    >
      <Stack gap="md">
        <ErrorAlert error={errorOf(accept.error, 'weak_password') ? null : accept.error} />
        {/* For password managers. */}
        <input type="hidden" name="username" autoComplete="username" value={invitation.email} readOnly />
        <TextInput
          label="Your name"
          autoComplete="name"
          size="md"
          maxLength={100}
          autoFocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <PasswordField
          label="Password"
          description={passwordHint}
          autoComplete="new-password"
          size="md"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          size="md"
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        <Button type="submit" size="md" fullWidth loading={accept.isPending}>
          Join
        </Button>
        <Text size="sm">
          Already have an account?{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
            Sign in
          </Anchor>
          , then open this link again.
        </Text>
      </Stack>
    </form>
  )
}

function SignInFirst({ email }: { email: string }) {
  return (
    <>
      <Alert icon={<IconInfoCircle aria-hidden />} role="alert">
        You already have an account. Sign in as {email}, then open this link again.
      </Alert>
      <Button size="md" fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    </>
  )
}
