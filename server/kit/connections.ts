/** What a process is, as its connections to PostgreSQL say: `web`, `worker` or `command`. */
export type ProcessKind = 'web' | 'worker' | 'command'

const state = { kind: 'command' as ProcessKind }

/** Says what this process is. The first thing a service does. */
export const setProcessKind = (kind: ProcessKind): void => {
  state.kind = kind
}

/**
 * The `application_name` of a connection: `tollgate web 1234 hot` is the hot pool of the web
 * process with this pid.
 */
export const connectionName = (use: string): string => `tollgate ${state.kind} ${process.pid} ${use}`

/** The fewest connections that a process can work with. */
export const MIN_CONNECTIONS = 12

/** How many connections each use may have. */
export type ConnectionShares = { main: number; hot: number; reads: number; queue: number }

const within = (min: number, value: number, max: number) => Math.min(max, Math.max(min, Math.round(value)))

/**
 * Connections of a process that was given no number: what pays off on a machine with few processes.
 */
export const usualConnections = (kind: ProcessKind): number => (kind === 'worker' ? 29 : 24)

/** How many connections this process may open, all together. */
export const connectionLimit = (given: number | undefined): number => given ?? usualConnections(state.kind)

/**
 * Divides the connections of a process by what they are for. One goes to the watchdog; a worker
 * also has one that listens and one that sends to the queue, beside those that receive.
 */
export function shareConnections(given: number | undefined, kind = state.kind): ConnectionShares {
  const total = given ?? usualConnections(kind)
  const queue = kind === 'worker' ? within(2, total / 7, 4) : 1
  const rest = total - 1 - queue - (kind === 'worker' ? 2 : 0)
  const hot = within(2, rest * 0.36, 16)
  const reads = within(1, rest / 6, 8)
  return { main: rest - hot - reads, hot, reads, queue }
}

/** Connections of each of several processes on one host, where no number is set. */
export const connectionsOfEach = (processes: number): number => Math.max(MIN_CONNECTIONS, Math.floor(40 / processes))
