import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'

export function AccountPage() {
  const { session } = useOrganization()
  return (
    <>
      <PageHead title="Sign-in and sessions">How you sign in, and where you’re signed in.</PageHead>
      {/* It belongs to the password. */}
      {!session.singleSignOn && <SecondFactorCard />}
      <SessionsCard />
    </>
  )
}
