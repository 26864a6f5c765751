/** Runs `cleanUp`, which must be synchronous, when this process exits for any reason. The latest runs first. */
export function atExit(cleanUp: () => void): { cancel(): void } {
  process.prependOnceListener('exit', cleanUp)
  return { cancel: () => void process.off('exit', cleanUp) }
}

// Without a listener, a signal ends the process without running exit handlers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
