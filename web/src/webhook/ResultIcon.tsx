import { IconAlertTriangle, IconCheck, IconX } from '../icons/icons.tsx'
import classes from './ResultIcon.module.css'

const kinds = {
  passed: { Icon: IconCheck, label: 'Passed' },
  warning: { Icon: IconAlertTriangle, label: 'Warning' },
  failed: { Icon: IconX, label: 'Failed' },
}

/** A result that can be told by shape, color and label. */
export function ResultIcon({ kind }: { kind: keyof typeof kinds }) {
  const { Icon, label } = kinds[kind]
  return (
    <span className={classes.icon} data-kind={kind} role="img" aria-label={label}>
      <Icon size={14} stroke={3} aria-hidden />
    </span>
  )
}
