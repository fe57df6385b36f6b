/** Resolves when somebody wants us to stop: Ctrl-C, SIGTERM, a closed terminal, or a launcher that is gone. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    process.on('disconnect', stop)
  })
}
