/** Says when somebody wants us to stop: Ctrl-C, SIGTERM, a closed terminal, or a launcher that is gone. */
export function stopSignal(): { asked: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController()
  const asked = new Promise<void>((resolve) => {
    const stop = () => {
      controller.abort()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    process.on('disconnect', stop)
  })
  return { asked, signal: controller.signal }
}
