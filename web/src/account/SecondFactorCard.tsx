import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { sessionQuery, useOrganization } from '../session/session.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SecondFactorSetup } from './SecondFactorSetup.tsx'

type Task = 'set up' | 'new codes' | 'turn off'

const titles: Record<Task, string> = {
  'set up': 'Set up two-step verification',
  'new codes': 'New recovery codes',
  'turn off': 'Turn off two-step verification',
}

export function SecondFactorCard() {
  const { session } = useOrganization()
  const { secondFactor } = session.user
  const [task, setTask] = useState<Task>('set up')
  const [isShowingCodes, setShowingCodes] = useState(false)
  const [opened, { open, close }] = useDisclosure()
  const refresh = useSessionRefresh()
  const begin = (task: Task) => {
    setTask(task)
    setShowingCodes(false)
    open()
  }
  const finish = async () => {
    close()
    await refresh()
  }
  return (
    <Card
      title="Two-step verification"
      description="After your password, you enter a code from an authenticator app. A stolen password alone won’t work."
      aside={secondFactor ? 'On' : 'Off'}
    >
      <Group gap="xs">
        {!secondFactor && <Button onClick={() => begin('set up')}>Set up</Button>}
        {secondFactor && (
          <>
            <Button variant="default" onClick={() => begin('new codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => begin('turn off')}>
              Turn off
            </Button>
          </>
        )}
      </Group>
      {/* Recovery codes are shown only once: a stray click or keypress must not close the dialog. */}
      <Dialog
        opened={opened}
        // If the code was already sent, two-step verification may be on now.
        onClose={task === 'set up' ? finish : close}
        title={titles[task]}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={task === 'turn off'}
        withCloseButton={!isShowingCodes}
      >
        {task === 'set up' && <SecondFactorSetup onCodes={() => setShowingCodes(true)} onDone={finish} />}
        {task === 'new codes' && <NewCodes onCodes={() => setShowingCodes(true)} onDone={close} />}
        {task === 'turn off' && <TurnOff onDone={finish} />}
      </Dialog>
    </Card>
  )
}

/** Reads the session again, because it says whether the second factor is on. Turning it on ends the other sessions. */
function useSessionRefresh() {
  const queries = useQueryClient()
  return async () => {
    void queries.invalidateQueries({ queryKey: ['sessions'] })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}

function NewCodes({ onCodes, onDone }: { onCodes(): void; onDone(): void }) {
  const renew = useMutation({ mutationFn: api.renewRecoveryCodes, onSuccess: onCodes })
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onDone={onDone} />
  return (
    <PasswordForm
      text="The old recovery codes stop working."
      submit="Create codes"
      pending={renew.isPending}
      error={renew.error}
      onPassword={(password) => renew.mutate({ password })}
    />
  )
}

function TurnOff({ onDone }: { onDone(): void }) {
  const end = useMutation({
    mutationFn: api.endSecondFactor,
    onSuccess: () => {
      onDone()
      notifications.show({ message: 'Two-step verification is off.' })
    },
  })
  return (
    <PasswordForm
      text="After that, your password is enough to sign in."
      submit="Turn off"
      pending={end.isPending}
      error={end.error}
      onPassword={(password) => end.mutate({ password })}
    />
  )
}
