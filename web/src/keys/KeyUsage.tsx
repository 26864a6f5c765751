import type { ListedKey } from '../../../server/http/settings/schemas.ts'
import { grouped } from '../parts/counts.ts'
import table from '../parts/Table.module.css'

/** How many requests, and how many of them were not answered with 2xx. */
export function KeyUsage({ usage: { thisMinute, limitPerMinute, lastDay } }: { usage: ListedKey['usage'] }) {
  const total = lastDay.reduce((sum, { requests }) => sum + requests, 0)
  const failed = lastDay.filter(({ status }) => status >= 300)
  return (
    <>
      {grouped(total)}
      {failed.length > 0 && (
        <span className={table.dimmed}>
          {failed.map(({ status, requests }) => `${grouped(requests)}\u00a0×\u00a0${status}`).join(', ')}
        </span>
      )}
      {thisMinute > 0 && (
        <span className={table.dimmed}>
          {grouped(thisMinute)} of {limitPerMinute} this minute
        </span>
      )}
    </>
  )
}
