import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { PasswordField } from '../parts/PasswordField.tsx'

type SecretChoiceProps = {
  /** Undefined while a generated one is chosen. */
  value: string | undefined
  onChange(secret: string | undefined): void
  generatedHint: string
  /** Shown while a generated one is chosen. */
  generated?: ReactNode
  error: string | null
}

/** A generated secret, or one the receiver already has. */
export function SecretChoice({ value, onChange, generatedHint, generated, error }: SecretChoiceProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Signing secret"
        value={value === undefined ? 'generate' : 'own'}
        onChange={(choice) => onChange(choice === 'own' ? '' : undefined)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="generate" label="Generate one" description={generatedHint} />
          <Radio value="own" label="Use my own" description="For a receiver that already has one" />
        </Stack>
      </Radio.Group>
      {value === undefined ? (
        generated
      ) : (
        <PasswordField
          label="Your secret"
          description="16 to 256 printable characters"
          autoComplete="off"
          value={value}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Stack>
  )
}
