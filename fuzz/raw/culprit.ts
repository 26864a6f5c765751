import { type HostileConnection, isSlow } from './connections.ts'

type Reproduces = (group: HostileConnection[]) => Promise<boolean>

// Small enough that a group can run at once.
const groupSize = 48

/** Finds the connection that reproduces a problem on its own, if there is one. */
export async function findCulprit(
  present: HostileConnection[],
  reproduces: Reproduces,
): Promise<HostileConnection | null> {
  const suspects = [...new Map(present.map((one) => [isSlow(one) ? one.name : one, shortened(one)])).values()]
  for (let at = 0; at < suspects.length; at += groupSize) {
    const found = await bisect(suspects.slice(at, at + groupSize), reproduces)
    if (found) return found
  }
  return null
}

/** Slow connections of one kind are all alike, and the waiting itself does a server no harm. */
function shortened(connection: HostileConnection): HostileConnection {
  const { behavior } = connection
  return 'milliseconds' in behavior ? { ...connection, behavior: { ...behavior, milliseconds: 200 } } : connection
}

async function bisect(group: HostileConnection[], reproduces: Reproduces): Promise<HostileConnection | null> {
  const [first = null] = group
  if (first === null || !(await reproduces(group))) return null
  if (group.length === 1) return first
  const half = Math.ceil(group.length / 2)
  return (await bisect(group.slice(0, half), reproduces)) ?? bisect(group.slice(half), reproduces)
}
