import { CommandFault } from './command.ts'

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `90m`, `12h` or `7d` in milliseconds. */
export function readDuration(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') {
    throw new CommandFault(`${option} must be a number of minutes, hours or days, such as 90m, 12h or 7d`)
  }
  return Number(count) * units[unit]
}

/** How long ago, in the largest useful unit. */
export function ageOf(time: string, now: Date): string {
  const age = now.getTime() - Date.parse(time)
  const unit = age >= 2 * units.d ? 'd' : age >= 2 * units.h ? 'h' : 'm'
  return `${Math.max(0, Math.floor(age / units[unit]))} ${unit === 'm' ? 'min' : unit}`
}
