import { Alert, Anchor, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, errorOf } from '../api.ts'
import { IconCircleCheck } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'
import { IncompleteLink } from './IncompleteLink.tsx'
import { useLinkToken } from './link-token.ts'
import { passwordError, passwordHint } from './new-password.ts'
import { SignInFrame } from './SignInFrame.tsx'

const title = 'Choose a new password'

export function ResetPassword() {
  const token = useLinkToken()
  return token === '' ? <IncompleteLink title={title} /> : <NewPassword key={token} token={token} />
}

function NewPassword({ token }: { token: string }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', again: '' },
    validate: {
      password: passwordError,
      again: (value, { password }) => (value === password ? null : 'Passwords don’t match'),
    },
  })
  const reset = useMutation({
    mutationFn: api.resetPassword,
    onError: (error) => {
      const weak = errorOf(error, 'weak_password')
      if (weak) form.setErrors({ password: weak.message })
    },
  })
  return (
    <SignInFrame title={title}>
      {reset.isSuccess ? (
        <Stack gap="md">
          <Alert color="teal" icon={<IconCircleCheck aria-hidden />} role="status">
            Your password has been changed, and you’ve been signed out everywhere.
          </Alert>
          <Button renderRoot={(props) => <Link to="/sign-in" {...props} />} size="md" fullWidth>
            Sign in
          </Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ password }) => reset.mutate({ token, password }))} noValidate>
          <Stack gap="md">
            <ErrorAlert error={errorOf(reset.error, 'weak_password') ? null : reset.error} />
            <PasswordField
              label="New password"
              description={passwordHint}
              autoComplete="new-password"
              size="md"
              autoFocus
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            <PasswordField
              label="Confirm new password"
              autoComplete="new-password"
              size="md"
              key={form.key('again')}
              {...form.getInputProps('again')}
            />
            <Button type="submit" size="md" fullWidth loading={reset.isPending}>
              Change password
            </Button>
            <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />} size="sm" ta="center">
              Back to sign-in
            </Anchor>
          </Stack>
        </form>
      )}
    </SignInFrame>
  )
}
