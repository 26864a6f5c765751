import { PasswordInput, Radio, Stack } from '@mantine/core'

type SecretChoiceProps = { value: string | undefined; onChange(secret: string | undefined): void }

/** A secret made by the service, or one that is already set at the receiver. */
export function SecretChoice({ value, onChange }: SecretChoiceProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Signing secret"
        value={value === undefined ? 'generate' : 'given'}
        onChange={(choice) => onChange(choice === 'given' ? '' : undefined)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="generate" label="Make one for me" description="32 random bytes, shown once" />
          <Radio value="given" label="Use my own" description="For a receiver that already has one" />
        </Stack>
      </Radio.Group>
      {value !== undefined && (
        <PasswordInput
          label="Your secret"
          description="16 to 256 printable characters"
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Stack>
  )
}
