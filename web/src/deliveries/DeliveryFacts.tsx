import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DeliveryDetail } from '../../../server/http/settings/delivery-schemas.ts'
import { RecordLink } from '../interviews/cells.tsx'
import { BreakableText } from '../parts/BreakableText.tsx'
import { CopyText } from '../parts/CopyText.tsx'
import { toTheSecond } from '../parts/times.ts'
import { NextAttempt } from './NextAttempt.tsx'

export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const {
    id,
    candidate,
    templateId,
    templateName,
    resultId,
    eventId,
    invitationId,
    createdAt,
    deliveredAt,
    nextAttemptAt,
  } = delivery
  return (
    <DataList size="sm" gap="xs" labelWidth="6.5rem">
      {nextAttemptAt && (
        <Fact label="Next attempt">
          <NextAttempt time={nextAttemptAt} /> · {toTheSecond(nextAttemptAt)}
        </Fact>
      )}
      <Fact label="Candidate">
        <BreakableText text={candidate.email} />
      </Fact>
      <Fact label="Template">
        <RecordLink kind="templates" id={templateId}>
          {templateName}
        </RecordLink>
      </Fact>
      <Fact label="Created">{toTheSecond(createdAt)}</Fact>
      {deliveredAt && <Fact label="Delivered">{toTheSecond(deliveredAt)}</Fact>}
      <Fact label="Delivery ID">
        <CopyText name="delivery ID" text={id} />
      </Fact>
      <Fact label="Result ID">
        <CopyText name="result ID" text={resultId} />{' '}
        <RecordLink kind="results" id={resultId}>
          Show result
        </RecordLink>
      </Fact>
      <Fact label="Event ID">
        <CopyText name="event ID" text={eventId} />
      </Fact>
      <Fact label="Invitation ID">
        <CopyText name="invitation ID" text={invitationId} />{' '}
        <RecordLink kind="invitations" id={invitationId}>
          Show invitation
        </RecordLink>
      </Fact>
    </DataList>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  )
}
