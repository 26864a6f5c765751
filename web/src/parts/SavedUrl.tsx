import type { ReactNode } from 'react'
import { BreakableText } from './BreakableText.tsx'
import classes from './SavedUrl.module.css'

/** A URL in use, with a note below it. */
export function SavedUrl({ url, children }: { url: string; children: ReactNode }) {
  return (
    <>
      <p className={classes.url}>
        <BreakableText text={url} />
      </p>
      <p className={classes.note}>{children}</p>
    </>
  )
}
