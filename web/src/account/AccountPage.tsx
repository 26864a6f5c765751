import { PageHead } from '../parts/PageHead.tsx'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'

export function AccountPage() {
  return (
    <>
      <PageHead title="Sign-in and sessions">How you sign in, and where you’re signed in.</PageHead>
      <SecondFactorCard />
      <SessionsCard />
    </>
  )
}
