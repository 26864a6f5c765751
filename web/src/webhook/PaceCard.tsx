import { Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Webhook } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'

/** How many events a second the endpoint gets at most. */
export function PaceCard({ webhook, onChanged }: { webhook: Webhook; onChanged(webhook: Webhook): void }) {
  const { id } = useOrganization()
  const current = String(webhook.maxPerSecond ?? '')
  const [text, setText] = useState(current)
  const [seen, setSeen] = useState(current)
  // Another admin, or the command line, may have changed it. What was typed here stays.
  if (seen !== current) {
    setSeen(current)
    if (text === seen) setText(current)
  }
  const [isInvalid, setInvalid] = useState(false)
  const save = useMutation({
    mutationFn: (maxPerSecond: number | null) => api.changePace(id, { maxPerSecond }),
    onSuccess: ({ webhook }) => {
      onChanged(webhook)
      const { maxPerSecond } = webhook
      notifications.show({
        message: maxPerSecond === null ? 'Limit removed.' : `Limit saved: at most ${maxPerSecond} a second.`,
      })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const maxPerSecond = text.trim() === '' ? null : Number(text)
    const isValid =
      maxPerSecond === null || (Number.isInteger(maxPerSecond) && maxPerSecond >= 1 && maxPerSecond <= 1_000)
    setInvalid(!isValid)
    if (isValid) save.mutate(maxPerSecond)
  }
  return (
    <Card
      title="Pace"
      description="If your receiver limits requests, set a maximum below its limit. After a 429, the remaining events wait and then start slowly."
    >
      <form onSubmit={submit} noValidate>
        <ErrorAlert error={save.error} />
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Maximum events per second"
            description="1 to 1000. Leave it empty for no limit."
            inputMode="numeric"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setInvalid(false)
              save.reset()
            }}
            error={isInvalid && 'Enter a whole number from 1 to 1000, or leave it empty.'}
          />
          <ChangeButton type="submit" variant="default" loading={save.isPending}>
            Save limit
          </ChangeButton>
        </Group>
      </form>
    </Card>
  )
}
