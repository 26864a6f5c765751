import { Fragment } from 'react'

/** A URL or email address that breaks after its punctuation instead of in the middle of a word. */
export function BreakableText({ text }: { text: string }) {
  const parts = text.split(/(?<=[@/.?&=_:-])(?![/@.])/)
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
