import { CodeBlock } from '../parts/CodeBlock.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  return (
    <ShownOnce
      warning="Save these codes now. You won’t see them again. If you lose your phone, each of them signs you in once."
      done="I’ve saved them"
      onDone={onDone}
    >
      <CodeBlock label="Recovery codes" text={codes.join('\n')} />
    </ShownOnce>
  )
}
