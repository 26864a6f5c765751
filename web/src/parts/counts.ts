const numbers = new Intl.NumberFormat('en-US')

/** `1 delivery`, `1,204 deliveries` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numbers.format(count)} ${count === 1 ? one : many}`
}

export function grouped(count: number): string {
  return numbers.format(count)
}
