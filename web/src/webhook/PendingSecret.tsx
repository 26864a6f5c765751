import { Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Finding, SecretCheck } from '../../../server/http/settings/delivery-schemas.ts'
import type { Webhook } from '../../../server/http/settings/schemas.ts'
import { api, errorOf } from '../api.ts'
import { IconPlayerPlay } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './PendingSecret.module.css'
import { ResultIcon } from './ResultIcon.tsx'

/** A secret that is prepared but does not sign yet: check it, activate it or discard it. */
export function PendingSecret({ since, onChanged }: { since: string; onChanged(webhook: Webhook): void }) {
  const { id } = useOrganization()
  const [confirming, setConfirming] = useState<'activate' | 'discard' | null>(null)
  const [checked, setChecked] = useState<SecretCheck | null>(null)
  const close = () => setConfirming(null)
  const check = useMutation({
    mutationFn: () => api.checkSecret(id, { preparedAt: since }),
    onMutate: () => setChecked(null),
    onSuccess: setChecked,
  })
  const activate = useMutation({
    mutationFn: (activateAnyway: boolean) => api.activateSecret(id, { preparedAt: since, activateAnyway }),
    onMutate: () => check.reset(),
    onSuccess: ({ webhook }) => {
      close()
      onChanged(webhook)
      notifications.show({ message: 'New signing secret activated. You can remove the old one from your receiver.' })
    },
    onError: (error) => {
      const refused = errorOf(error, 'secret_not_accepted')
      if (!refused) return close()
      setChecked(refused.check)
      setConfirming('activate')
    },
  })
  const discard = useMutation({
    mutationFn: () => api.discardSecret(id, { preparedAt: since }),
    onSuccess: ({ webhook }) => {
      close()
      onChanged(webhook)
      notifications.show({ message: 'New signing secret discarded. Nothing changes.' })
    },
  })
  const activationError = errorOf(activate.error, 'secret_not_accepted') ? null : activate.error

  return (
    <div className={classes.pending}>
      <p>
        <strong>A new secret is prepared</strong> (<Moment time={since} />
        ). Events are still signed with the current one.
      </p>
      <ol className={classes.steps}>
        <li>
          Add the new secret to your receiver and let it accept both. If you didn’t save it, discard it and prepare
          another.
        </li>
        <li>Check that it does. This sends one sample event per secret.</li>
        <li>Activate the new secret, then remove the old one from your receiver.</li>
      </ol>
      {checked && <CheckResult check={checked} />}
      <ErrorAlert error={check.error ?? activationError} />
      <Group gap="sm">
        <ChangeButton onClick={() => activate.mutate(false)} loading={activate.isPending && confirming === null}>
          Activate
        </ChangeButton>
        <ChangeButton
          variant="default"
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => {
            activate.reset()
            check.mutate()
          }}
          loading={check.isPending}
        >
          Check both secrets
        </ChangeButton>
        <ChangeButton variant="subtle" color="red" onClick={() => setConfirming('discard')}>
          Discard
        </ChangeButton>
      </Group>
      <ConfirmDialog
        opened={confirming === 'activate'}
        onClose={close}
        title="Activate anyway?"
        confirm="Activate anyway"
        danger
        mutation={activate}
        error={activationError}
        onConfirm={() => activate.mutate(true)}
      >
        <p>
          Your receiver did not accept an event signed with the new secret. If you activate it now, events fail until it
          does.
        </p>
        {checked && <CheckResult check={checked} />}
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirming === 'discard'}
        onClose={close}
        title="Discard the new secret?"
        confirm="Discard"
        danger
        mutation={discard}
        onConfirm={() => discard.mutate()}
      >
        Events are signed with the current secret, now and later. You can prepare another one at any time.
      </ConfirmDialog>
    </div>
  )
}

function CheckResult({ check }: { check: SecretCheck }) {
  return (
    <div role="status">
      <ul className={classes.findings}>
        <Line label="Signed with the new secret" finding={check.next} />
        <Line label="Signed with the current secret" finding={check.current} />
      </ul>
    </div>
  )
}

function Line({ label, finding: { ok, detail, advice } }: { label: string; finding: Finding }) {
  return (
    <li className={classes.finding}>
      <ResultIcon kind={ok ? 'passed' : 'failed'} />
      <div>
        <strong>{label}</strong>
        <span className={classes.detail}>{detail}</span>
        {advice && <span className={classes.advice}>{advice}</span>}
      </div>
    </li>
  )
}
