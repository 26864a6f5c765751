import type { ReactNode } from 'react'
import type { ResultPage } from '../../../server/http/settings/browse-schemas.ts'
import { api } from '../api.ts'
import { Moment } from '../parts/Moment.tsx'
import { CandidateCell, DeliveryCell, RecordLink } from './cells.tsx'
import { RecordList } from './RecordList.tsx'

type Result = ResultPage['data'][number]

const columns: { label: string; cell(row: Result): ReactNode }[] = [
  {
    label: 'Candidate',
    cell: ({ candidate, id }) => <CandidateCell candidate={candidate} name="result ID" id={id} />,
  },
  {
    label: 'Template',
    cell: ({ templateId, templateName }) => (
      <RecordLink kind="templates" id={templateId}>
        {templateName}
      </RecordLink>
    ),
  },
  {
    label: 'Score',
    cell: ({ overallScore, resultUrl }) => (
      <a href={resultUrl} target="_blank" rel="noreferrer" aria-label={`Open the result, score ${overallScore}`}>
        {overallScore}
      </a>
    ),
  },
  { label: 'Completed', cell: ({ completedAt }) => <Moment time={completedAt} /> },
  {
    label: 'Invitation',
    cell: ({ invitationId }) => (
      <RecordLink kind="invitations" id={invitationId}>
        Show
      </RecordLink>
    ),
  },
  {
    label: 'Delivery',
    cell: ({ deliveryId, deliveryStatus }) => <DeliveryCell deliveryId={deliveryId} status={deliveryStatus} />,
  },
]

export function ResultList({ search }: { search: string | undefined }) {
  return (
    <RecordList
      kind="results"
      search={search}
      load={api.results}
      columns={columns}
      empty="Completed interviews show up here."
    />
  )
}
