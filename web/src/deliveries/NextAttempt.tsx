import { useNow } from '../parts/clock.ts'
import { toTheSecond, untilShort } from '../parts/times.ts'

/** When the next attempt is due: `in about 40 s`. */
export function NextAttempt({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={toTheSecond(time)}>
      {untilShort(time, now)}
    </time>
  )
}
