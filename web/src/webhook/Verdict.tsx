import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import classes from './Verdict.module.css'

const kinds = {
  good: { Icon: IconCheck, words: 'Good' },
  soon: { Icon: IconAlertTriangle, words: 'Soon a problem' },
  bad: { Icon: IconX, words: 'Not good' },
}

/** ✓ or ✗, in a shape, a colour and a word. */
export function Verdict({ kind }: { kind: keyof typeof kinds }) {
  const { Icon, words } = kinds[kind]
  return (
    <span className={classes.verdict} data-kind={kind} role="img" aria-label={words}>
      <Icon size={14} stroke={3} aria-hidden />
    </span>
  )
}
