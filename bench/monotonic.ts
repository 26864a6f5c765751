/** Milliseconds on a monotonic clock that all processes on this machine share. */
export function monotonicMilliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
