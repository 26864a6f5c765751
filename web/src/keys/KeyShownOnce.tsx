import type { MintedKey } from '../../../server/http/settings/schemas.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { useOrganization } from '../session/session.ts'
import { firstRequest } from './scopes.ts'

export function KeyShownOnce({ minted, onDone }: { minted: MintedKey; onDone(): void }) {
  const { session } = useOrganization()
  return (
    <ShownOnce
      warning="Copy it now. You won’t see it again. Store it like a password."
      done="I’ve saved it"
      onDone={onDone}
    >
      <CopyField label="API key" value={minted.key} autoFocus />
      <CodeBlock label="Try it" text={firstRequest(session.apiUrl, minted.key, minted.scopes)} />
    </ShownOnce>
  )
}
