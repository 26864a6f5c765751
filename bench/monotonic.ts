/** Milliseconds on a clock that all processes of this machine share and that nobody sets. */
export function monotonicMilliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
