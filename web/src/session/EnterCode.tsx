import { Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { Session } from '../../../server/http/settings/schemas.ts'
import { api, errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** The second step of a sign-in. */
export function EnterCode(props: { onSignedIn(session: Session): void; onStartAgain(): void }) {
  const { onSignedIn, onStartAgain } = props
  const enter = useMutation({ mutationKey: ['sign-in'], mutationFn: api.enterCode, onSuccess: onSignedIn })
  const isOver = errorOf(enter.error, 'sign_in_expired') !== null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    enter.mutate({ code: String(new FormData(event.currentTarget).get('code')).trim() })
  }
  return (
    <SignInFrame title="Enter your code">
      <form onSubmit={submit}>
        <Stack gap="md">
          <ErrorAlert error={enter.error} />
          {!isOver && (
            <>
              <Text size="sm" c="dimmed">
                Open your authenticator app and enter the six digits. If you can’t, enter one of your recovery codes.
              </Text>
              <TextInput
                label="Code"
                name="code"
                autoComplete="one-time-code"
                required
                withAsterisk={false}
                autoFocus
                size="md"
                maxLength={30}
                spellCheck={false}
              />
              <Button type="submit" size="md" fullWidth loading={enter.isPending}>
                Sign in
              </Button>
            </>
          )}
          <Button variant="default" size="md" fullWidth onClick={onStartAgain}>
            Start again
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
