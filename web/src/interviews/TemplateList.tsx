import type { ReactNode } from 'react'
import type { TemplatePage } from '../../../server/http/settings/browse-schemas.ts'
import { api } from '../api.ts'
import { CopyText } from '../parts/CopyText.tsx'
import { Moment } from '../parts/Moment.tsx'
import classes from './cells.module.css'
import { RecordLink } from './cells.tsx'
import { RecordList } from './RecordList.tsx'

type Template = TemplatePage['data'][number]

const columns: { label: string; cell(row: Template): ReactNode }[] = [
  {
    label: 'Template',
    cell: ({ id, title }) => (
      <>
        <strong className={classes.title}>
          <bdi>{title}</bdi>
        </strong>
        <CopyText name="template ID" text={id} />
      </>
    ),
  },
  {
    label: 'Posting',
    cell: ({ externalPostingId }) => (externalPostingId === null ? '–' : <bdi>{externalPostingId}</bdi>),
  },
  { label: 'Whiteboard', cell: ({ whiteboardEnabled }) => (whiteboardEnabled ? 'On' : 'Off') },
  { label: 'Updated', cell: ({ updatedAt }) => <Moment time={updatedAt} /> },
  {
    label: 'Invitations',
    cell: ({ id }) => (
      <RecordLink kind="invitations" id={id}>
        Show
      </RecordLink>
    ),
  },
]

export function TemplateList({ search }: { search: string | undefined }) {
  return (
    <RecordList
      kind="templates"
      search={search}
      load={api.templates}
      columns={columns}
      empty="Templates created through the API show up here."
    />
  )
}
