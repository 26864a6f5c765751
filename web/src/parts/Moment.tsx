import { useNow } from './clock.ts'
import { inShort, toTheSecond } from './times.ts'

export function Moment({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={toTheSecond(time)}>
      {inShort(time, now)}
    </time>
  )
}
