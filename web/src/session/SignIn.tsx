import { Alert, Anchor, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { Session } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { IconAlertCircle, IconClock } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { EmailInput } from './EmailInput.tsx'
import { EnterCode } from './EnterCode.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { forgetSession, sessionQuery } from './session.ts'
import { signOnRefusals } from './sign-on-refusals.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  const leave = useLeave()
  const queries = useQueryClient()
  const [codeNeeded, setCodeNeeded] = useState(false)
  const enter = (session: Session) => {
    forgetSession(queries)
    queries.setQueryData(sessionQuery.queryKey, session)
    leave()
  }
  useSignedIn(leave)
  if (codeNeeded) return <EnterCode onSignedIn={enter} onStartAgain={() => setCodeNeeded(false)} />
  return <EnterPassword onSignedIn={enter} onCodeNeeded={() => setCodeNeeded(true)} />
}

/** Leads to where the visitor wanted to go. The browser's Back button skips the sign-in page then. */
function useLeave() {
  const { next } = route.useSearch()
  const router = useRouter()
  return useCallback(() => {
    router.history.replace(next ?? '/settings')
    // Drops parameters the page doesn't know, as the router does when an address is opened.
    void router.navigate({ to: '.', search: true, hash: true, replace: true })
  }, [next, router])
}

/** Someone with a session has nothing to do here, unless it's to read why another sign-in was refused. */
function useSignedIn(onSignedIn: () => void): void {
  const { refused } = route.useSearch()
  const queries = useQueryClient()
  useEffect(() => {
    if (refused) return
    let isHere = true
    const session = queries.ensureQueryData({ ...sessionQuery, retry: false })
    void session.then(
      () => isHere && onSignedIn(),
      // Nobody is signed in, or nobody knows.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [refused, queries, onSignedIn])
}

function EnterPassword(props: { onSignedIn(session: Session): void; onCodeNeeded(): void }) {
  const { onSignedIn, onCodeNeeded } = props
  const { next, ended, refused } = route.useSearch()
  const signIn = useMutation({
    mutationKey: ['sign-in'],
    mutationFn: api.signIn,
    onSuccess: (result) => ('codeNeeded' in result ? onCodeNeeded() : onSignedIn(result)),
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    signIn.mutate({ email: String(fields.get('email')).trim(), password: String(fields.get('password')) })
  }

  return (
    <SignInFrame title="Sign in">
      {ended && !signIn.isError && (
        <Alert color="gray" icon={<IconClock aria-hidden />} mb="md" role="status">
          Your session has ended. Sign in to continue.
        </Alert>
      )}
      {refused && !signIn.isError && (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} mb="md" role="alert">
          {signOnRefusals[refused]}
        </Alert>
      )}
      <form onSubmit={submit}>
        <Stack gap="md">
          <ErrorAlert error={signIn.error} />
          <EmailInput />
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
          <Button
            variant="default"
            size="md"
            fullWidth
            renderRoot={(props) => <Link to="/single-sign-on" search={next === undefined ? {} : { next }} {...props} />}
          >
            Use single sign-on
          </Button>
          <Anchor renderRoot={(props) => <Link to="/forgot-password" {...props} />} size="sm" ta="center">
            Forgot password?
          </Anchor>
        </Stack>
      </form>
    </SignInFrame>
  )
}
