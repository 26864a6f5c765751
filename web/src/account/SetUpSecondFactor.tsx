import { Stack, Text } from '@mantine/core'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { SignInFrame } from '../session/SignInFrame.tsx'
import { sessionQuery } from '../session/session.ts'
import { useSignOut } from '../session/sign-out.ts'
import { SecondFactorSetup } from './SecondFactorSetup.tsx'

/** For members of an organization that requires it. Nothing else of that organization works before. */
export function SetUpSecondFactor() {
  const { session } = getRouteApi('/second-factor').useRouteContext()
  const queries = useQueryClient()
  const router = useRouter()
  const signOut = useSignOut()
  const isBusy = useIsMutating() > 0
  const [showsCodes, setShowsCodes] = useState(false)
  const required = session.organizations.filter(({ secondFactorMissing }) => secondFactorMissing)
  const finish = async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await router.navigate({ to: '/' })
  }
  return (
    <SignInFrame title="Set up two-step verification">
      <Stack gap="md">
        {required.length > 0 && (
          <Text>Required by {required.map(({ name }) => name).join(', ')}. Set it up to continue.</Text>
        )}
        <SecondFactorSetup onCodes={() => setShowsCodes(true)} onDone={() => void finish()} />
        {/* Signing out would lose them, and they may be on their way. */}
        {!showsCodes && (
          <Button variant="subtle" onClick={() => signOut.mutate()} loading={signOut.isPending} inactive={isBusy}>
            Sign out
          </Button>
        )}
      </Stack>
    </SignInFrame>
  )
}
