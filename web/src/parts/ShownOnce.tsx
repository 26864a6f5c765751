import { Alert, Button, Group, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { holdPage } from '../session/page-hold.ts'
import classes from './ShownOnce.module.css'

type ShownOnceProps = { warning: string; done: string; onDone(): void; children: ReactNode }

/**
 * A secret, until the button says that it's saved. Leaving or reloading the page before that asks first, and the end of the
 * session waits for it.
 */
export function ShownOnce({ warning, done, onDone, children }: ShownOnceProps) {
  const [isSaved, setSaved] = useState(false)
  useBlocker({
    shouldBlockFn: () => !window.confirm('You won’t see this again. Leave this page?'),
    enableBeforeUnload: true,
    disabled: isSaved,
  })
  useEffect(() => (isSaved ? undefined : holdPage()), [isSaved])
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.warning}>
        {warning}
      </Alert>
      {children}
      <Group justify="flex-end">
        <Button
          onClick={() => {
            setSaved(true)
            onDone()
          }}
        >
          {done}
        </Button>
      </Group>
    </Stack>
  )
}
