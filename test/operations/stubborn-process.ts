/** A process of a supervisor that does not exit when it is told to. */
process.on('SIGTERM', () => {})
setInterval(() => {}, 60_000)
process.send?.({ type: 'ready' })
