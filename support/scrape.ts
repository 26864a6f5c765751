/** The samples of one scrape. A series is a name with its labels, as written. */
export type Samples = {
  /** The value of exactly this series, if it exists. */
  of(series: string): number | undefined
  /** The sum of all series with this name whose labels contain these texts. */
  sum(name: string, ...labels: string[]): number
  names(): Set<string>
}

export function parseSamples(text: string): Samples {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ series: line.slice(0, line.lastIndexOf(' ')), value: Number(line.slice(line.lastIndexOf(' '))) }))
  const nameOf = (series: string) => series.split('{')[0] ?? ''
  return {
    of: (series) => samples.find((sample) => sample.series === series)?.value,
    sum: (name, ...labels) =>
      samples
        .filter(({ series }) => nameOf(series) === name && labels.every((label) => series.includes(label)))
        .reduce((total, { value }) => total + value, 0),
    names: () => new Set(samples.map(({ series }) => nameOf(series))),
  }
}
