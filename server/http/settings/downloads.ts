import type { EventEmitter } from 'node:events'

const maxPerOrganization = 2

/** Bounds how many events an organization's members download at once: each takes 1.4 MB until the client has read it. */
export function createDownloads() {
  const running = new Map<string, number>()
  return {
    /** False if there are too many. Counts until the response or its connection is closed. */
    start(organizationId: string, socket: EventEmitter & { destroyed: boolean }, response: EventEmitter): boolean {
      const count = running.get(organizationId) ?? 0
      if (count === maxPerOrganization) return false
      // The client left while the request was being admitted: neither of the two would be heard to close.
      if (socket.destroyed) return true
      const ends = [socket, response]
      running.set(organizationId, count + 1)
      const finish = () => {
        for (const end of ends) end.off('close', finish)
        const left = (running.get(organizationId) ?? 1) - 1
        if (left === 0) running.delete(organizationId)
        else running.set(organizationId, left)
      }
      for (const end of ends) end.once('close', finish)
      return true
    },
  }
}
