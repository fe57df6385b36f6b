const controller = new AbortController()

/**
 * Aborts when this process begins to shut down: nothing that may last for hours is to be waited for
 * any more.
 */
export const shutdownSignal = (): AbortSignal => controller.signal

/** True from the first request to stop on, while calls in progress finish. */
export const isShuttingDown = (): boolean => shutdownSignal().aborted

/** Says to the whole process that it is shutting down. */
export const beginShutdown = (): void => controller.abort()
