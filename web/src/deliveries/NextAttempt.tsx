import { useSecond } from '../parts/clock.ts'
import { toTheSecond, untilShort } from '../parts/times.ts'

/** When the next attempt is due: `in about 40 s`. */
export function NextAttempt({ time }: { time: string }) {
  const now = useSecond()
  return (
    <time dateTime={time} title={toTheSecond(time)}>
      {untilShort(time, now)}
    </time>
  )
}
