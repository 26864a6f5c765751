import { PageHead } from '../parts/PageHead.tsx'
import { RequireSecondFactor } from './RequireSecondFactor.tsx'
import { SignOnCard } from './SignOnCard.tsx'

export function SecurityPage() {
  return (
    <>
      <PageHead title="Security">How members of this organization sign in.</PageHead>
      <RequireSecondFactor />
      <SignOnCard />
    </>
  )
}
