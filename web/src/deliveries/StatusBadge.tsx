import { IconAlertTriangle, IconCheck, IconClock } from '../icons/icons.tsx'
import { type Status, statusLabels } from './labels.ts'
import classes from './StatusBadge.module.css'

const icons = { PENDING: IconClock, DELIVERED: IconCheck, FAILED: IconAlertTriangle }

export function StatusBadge({ status }: { status: Status }) {
  const Icon = icons[status]
  return (
    <span className={classes.badge} data-status={status}>
      <Icon size={14} stroke={2.25} aria-hidden />
      {statusLabels[status]}
    </span>
  )
}
