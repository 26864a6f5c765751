/** Computes each result once, as long as the input is among the last `size` new ones. */
export function remember<Result extends object>(
  size: number,
  compute: (input: string) => Result,
): (input: string) => Result {
  const results = new Map<string, Result>()
  return (input) => {
    const known = results.get(input)
    if (known !== undefined) return known
    const result = compute(input)
    results.set(input, result)
    const [oldest] = results.keys()
    if (results.size > size && oldest !== undefined) results.delete(oldest)
    return result
  }
}
