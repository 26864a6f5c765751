import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import classes from './StatusBadge.module.css'
import { type Status, statusWords } from './words.ts'

const icons = { PENDING: IconClock, DELIVERED: IconCheck, FAILED: IconAlertTriangle }

export function StatusBadge({ status }: { status: Status }) {
  const Icon = icons[status]
  return (
    <span className={classes.badge} data-status={status}>
      <Icon size={14} stroke={2.25} aria-hidden />
      {statusWords[status]}
    </span>
  )
}
