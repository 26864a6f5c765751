import { Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SecondFactorStart } from '../../../server/http/settings/member-schemas.ts'
import { api, errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type SecondFactorSetupProps = {
  /** It is on, and the recovery codes are on screen. */
  onCodes?: () => void
  onDone(): void
}

/** Password, then the app and a code from it, then the recovery codes. */
export function SecondFactorSetup({ onCodes, onDone }: SecondFactorSetupProps) {
  const [confirmed, setConfirmed] = useState(false)
  const start = useMutation({ mutationFn: api.startSecondFactor })
  if (!start.data) {
    return (
      <PasswordForm
        text="You need an authenticator app on your phone, such as the one in your password manager."
        submit="Continue"
        pending={start.isPending}
        error={start.error}
        onPassword={(password) => start.mutate({ password })}
      />
    )
  }
  if (!confirmed) {
    const show = () => {
      setConfirmed(true)
      onCodes?.()
    }
    return <ConfirmCode start={start.data} onConfirmed={show} />
  }
  return <RecoveryCodes codes={start.data.recoveryCodes} onDone={onDone} />
}

function ConfirmCode({ start, onConfirmed }: { start: SecondFactorStart; onConfirmed(): void }) {
  const confirm = useMutation({ mutationFn: api.confirmSecondFactor, onSuccess: onConfirmed })
  const wrong = errorOf(confirm.error, 'setup_code_wrong')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    confirm.mutate({ code: String(new FormData(event.currentTarget).get('code')).trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div>Scan this with your authenticator app, or type the key into it.</div>
        <QrCode text={start.uri} label="QR code for your authenticator app" />
        <CopyField label="Key" value={start.secret} />
        <ErrorAlert error={wrong ? null : confirm.error} />
        <TextInput
          label="Code from the app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={10}
          error={wrong?.message}
        />
        <div>Confirming signs you out everywhere else.</div>
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
