import { Alert, Group, Radio, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangedSecret, Webhook } from '../../../server/http/settings/schemas.ts'
import { api, errorOf } from '../api.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { CancelButton } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { generateSecret } from './generate-secret.ts'
import { SecretChoice } from './SecretChoice.tsx'

type ChangeSecretFormProps = {
  onPrepared(prepared: ChangedSecret): void
  onChanged(webhook: Webhook): void
}

/** In two steps, so no event is lost, or at once. */
export function ChangeSecretForm({ onPrepared, onChanged }: ChangeSecretFormProps) {
  const { id } = useOrganization()
  const [isAtOnce, setAtOnce] = useState(false)
  const [generated] = useState(generateSecret)
  const [own, setOwn] = useState<string | undefined>()
  const prepare = useMutation({
    mutationFn: () => api.prepareSecret(id, own === undefined ? {} : { secret: own }),
    onSuccess: onPrepared,
  })
  const change = useMutation({
    mutationFn: () => api.changeSecret(id, { secret: own ?? generated }),
    onSuccess: ({ webhook }) => onChanged(webhook),
  })
  const reset = () => {
    prepare.reset()
    change.reset()
  }
  const { error, isPending, mutate } = isAtOnce ? change : prepare
  const invalid = errorOf(error, 'invalid_secret')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
      noValidate
    >
      <Stack gap="md">
        <Radio.Group
          label="When to change it"
          value={isAtOnce ? 'once' : 'steps'}
          onChange={(choice) => {
            setAtOnce(choice === 'once')
            reset()
          }}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="steps"
              label="In two steps (recommended)"
              description="Add the new secret to your receiver first, then activate it here. No event is lost."
            />
            <Radio value="once" label="Immediately" description="For a secret that has leaked." />
          </Stack>
        </Radio.Group>
        {isAtOnce && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            Your receiver rejects events until it has the new secret. Rejected events fail for good; you have to retry
            them yourself.
          </Alert>
        )}
        <SecretChoice
          value={own}
          onChange={(secret) => {
            setOwn(secret)
            reset()
          }}
          generatedHint={isAtOnce ? 'Not in use until you change it below' : 'Shown once, in the next step'}
          generated={isAtOnce && <CopyField label="New secret" value={generated} />}
          error={invalid?.message ?? null}
        />
        <ErrorAlert error={invalid ? null : error} />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isPending} {...(isAtOnce && { color: 'red' })}>
            {isAtOnce ? 'Change immediately' : 'Prepare secret'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
