import { useSyncExternalStore } from 'react'

export type Connection = {
  isConnected: boolean
  /** When the service last responded. */
  lastResponseAt: number | null
}

let connection: Connection = { isConnected: true, lastResponseAt: null }
const listeners = new Set<() => void>()

/** Whether the last request reached the service. Every request reports here. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

export function reportResponse(): void {
  const { isConnected } = connection
  connection = { isConnected: true, lastResponseAt: Date.now() }
  // Only a change is news: this runs with every request.
  if (!isConnected) notify()
}

export function reportFailure(): void {
  if (!connection.isConnected) return
  connection = { ...connection, isConnected: false }
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
