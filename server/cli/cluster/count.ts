import { availableParallelism, totalmem } from 'node:os'
import type { Env } from '../../env'

/** What a process needs of memory under load, bytes: more processes than fit would be killed. */
const MEMORY_EACH = 512 * 2 ** 20

/** What the host or its container gives this process. */
export type HostLimits = { cores: number; memoryBytes: number }

const hostLimits = (): HostLimits => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
})

/** One process per core, as far as the memory goes. */
export const processesOfHost = ({ cores, memoryBytes } = hostLimits()): number =>
  Math.max(1, Math.min(cores, Math.floor(memoryBytes / MEMORY_EACH)))

type Settings = Pick<Env, 'WEB_CONCURRENCY' | 'WORKER_CONCURRENCY'>

/** How many processes of an entry its launcher runs. Those of commands are one. */
export function processCount(entry: string, settings: Settings): number {
  if (entry === 'web') return settings.WEB_CONCURRENCY ?? processesOfHost()
  if (entry === 'worker') return settings.WORKER_CONCURRENCY ?? processesOfHost()
  return 1
}
