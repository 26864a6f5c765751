import { Link } from '@tanstack/react-router'
import { fullName } from '../deliveries/full-name.ts'
import type { Status } from '../deliveries/labels.ts'
import { StatusBadge } from '../deliveries/StatusBadge.tsx'
import { BreakableText } from '../parts/BreakableText.tsx'
import { CopyText } from '../parts/CopyText.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import classes from './cells.module.css'
import type { Kind } from './search.ts'

type CandidateCellProps = {
  candidate: { email: string; firstName: string; lastName: string }
  /** What the row is, such as `result ID`. */
  name: string
  id: string
}

/** Who it is about, and the row's own ID. */
export function CandidateCell({ candidate, name, id }: CandidateCellProps) {
  return (
    <>
      <strong className={classes.name}>
        <bdi>{fullName(candidate)}</bdi>
      </strong>
      <span className={table.dimmed}>
        <BreakableText text={candidate.email} />
      </span>
      <CopyText name={name} text={id} />
    </>
  )
}

/** A link to another record, found by its ID. */
export function RecordLink({ kind, id, children }: { kind: Kind; id: string; children: string }) {
  const { id: organizationId } = useOrganization()
  return (
    <Link
      to="/$organizationId/interviews/$kind"
      params={{ organizationId, kind }}
      search={{ search: id }}
      className={classes.link}
    >
      <bdi>{children}</bdi>
    </Link>
  )
}

type DeliveryCellProps = { deliveryId: string | null; status: Status | null }

/** The delivery a result led to. None: no webhook was enabled then. */
export function DeliveryCell({ deliveryId, status }: DeliveryCellProps) {
  const { id: organizationId } = useOrganization()
  if (deliveryId === null || status === null) return <span className={table.dimmed}>None</span>
  return (
    <Link
      to="/$organizationId/deliveries/$deliveryId"
      params={{ organizationId, deliveryId }}
      search={{}}
      className={classes.badge}
      aria-label={`Open the delivery: ${status.toLowerCase()}`}
    >
      <StatusBadge status={status} />
    </Link>
  )
}
