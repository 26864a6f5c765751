import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { DeliveryPayload } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { IconCode } from '../icons/icons.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryView.module.css'

/** The request without the image, loaded only on demand. */
export function Payload({ deliveryId }: { deliveryId: string }) {
  const { id } = useOrganization()
  const [shown, { toggle }] = useDisclosure()
  const payload = useQuery({
    queryKey: ['deliveries', id, 'payload', deliveryId],
    queryFn: () => api.payload(id, deliveryId),
    enabled: shown,
  })
  return (
    <section aria-label="Payload" className={classes.view}>
      <div>
        <Button
          variant="default"
          leftSection={<IconCode size={18} aria-hidden />}
          onClick={toggle}
          aria-expanded={shown}
        >
          {shown ? 'Hide payload' : 'Show payload'}
        </Button>
      </div>
      {shown && payload.isPending && <Skeleton height={200} />}
      {shown && <ErrorAlert error={payload.error} onRetry={() => void payload.refetch()} />}
      {shown && payload.data && <CodeBlock label="Request (without signature)" text={formatRequest(payload.data)} />}
    </section>
  )
}

function formatRequest({ headers, body }: DeliveryPayload): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\n')}\n\n${JSON.stringify(body, null, 2)}`
}
