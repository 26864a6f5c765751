import type { ReactNode } from 'react'
import type { InvitationPage } from '../../../server/http/settings/browse-schemas.ts'
import { api } from '../api.ts'
import { Moment } from '../parts/Moment.tsx'
import { onlyDay } from '../parts/times.ts'
import { CandidateCell, DeliveryCell, RecordLink } from './cells.tsx'
import { RecordList } from './RecordList.tsx'

type Invitation = InvitationPage['data'][number]

const statusLabels: Record<Invitation['status'], string> = {
  SCHEDULED: 'Scheduled',
  IN_PROGRESS: 'In progress',
  PAUSED: 'Paused',
  PROCESSING: 'Processing',
  COMPLETED: 'Completed',
  EXPIRED: 'Expired',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
}

const columns: { label: string; cell(row: Invitation): ReactNode }[] = [
  {
    label: 'Candidate',
    cell: ({ candidate, id }) => <CandidateCell candidate={candidate} name="invitation ID" id={id} />,
  },
  {
    label: 'Template',
    cell: ({ templateId, templateName }) => (
      <RecordLink kind="templates" id={templateId}>
        {templateName}
      </RecordLink>
    ),
  },
  { label: 'Status', cell: ({ status }) => statusLabels[status] },
  { label: 'Created', cell: ({ createdAt }) => <Moment time={createdAt} /> },
  { label: 'Expires', cell: ({ expiresAt }) => onlyDay(expiresAt) },
  {
    label: 'Result',
    cell: ({ resultId }) =>
      resultId && (
        <RecordLink kind="results" id={resultId}>
          Show
        </RecordLink>
      ),
  },
  {
    label: 'Delivery',
    cell: ({ deliveryId, deliveryStatus }) => <DeliveryCell deliveryId={deliveryId} status={deliveryStatus} />,
  },
]

export function InvitationList({ search }: { search: string | undefined }) {
  return (
    <RecordList
      kind="invitations"
      search={search}
      load={api.invitations}
      columns={columns}
      empty="Invitations created through the API show up here."
    />
  )
}
