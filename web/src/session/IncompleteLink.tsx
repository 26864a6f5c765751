import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** For a link that lost the token behind its #. */
export function IncompleteLink({ title }: { title: string }) {
  return (
    <SignInFrame title={title}>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        Part of the link is missing. Please copy the whole link again.
      </Alert>
    </SignInFrame>
  )
}
