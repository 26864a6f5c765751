/** Runs `cleanUp`, which must be synchronous, when this process ends: by itself, by an error or by a signal. The latest runs first. */
export function atExit(cleanUp: () => void): { cancel(): void } {
  process.prependOnceListener('exit', cleanUp)
  return { cancel: () => void process.off('exit', cleanUp) }
}

// A signal that nobody listens for ends the process without its exit handlers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
