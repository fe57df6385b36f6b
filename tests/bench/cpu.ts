import { readFileSync } from 'node:fs'
import { mainPool } from '../../server/db'
import { readProcessStat, TICK_US } from '../../server/kit/process-stat'
import { formatWhole, spreadOf } from './table'

/**
 * Microseconds of CPU time a call, of the processes that answer and of the whole PostgreSQL server.
 * NaN where this machine does not report it (`/proc`), or where PostgreSQL runs on another.
 */
export type CpuPerCall = { serverCpuUs: number; databaseCpuUs: number }

/** PostgreSQL's first process, 0 where it is not on this machine. */
async function findPostmaster(): Promise<number> {
  const { rows } = await mainPool().query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const backend = readProcessStat(rows[0]?.pid ?? 0)
  return backend?.name === 'postgres' ? backend.parent : 0
}

/** Ticks of a process and of all its children, ended ones included. NaN once it has ended. */
function readTicks(pid: number): number {
  const first = readProcessStat(pid)
  if (!first) return Number.NaN
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const ticks = children.map((child) => readProcessStat(Number(child))?.ownTicks ?? 0)
  return ticks.reduce((sum, each) => sum + each, first.ownTicks + first.endedChildrenTicks)
}

/** Starts counting; the function it returns divides what was used since then among some calls. */
export async function startCpuMeter(serverPid: number): Promise<(calls: number) => CpuPerCall> {
  const postmaster = await findPostmaster()
  const read = () => ({ server: readTicks(serverPid), database: readTicks(postmaster) })
  const before = read()
  return (calls) => {
    const after = read()
    return {
      serverCpuUs: ((after.server - before.server) * TICK_US) / calls,
      databaseCpuUs: ((after.database - before.database) * TICK_US) / calls,
    }
  }
}

/** The columns that `formatCpu` fills. */
export const CPU_HEADS = ['its CPU µs', 'PostgreSQL CPU µs']

/** CPU time a call as cells of a table. */
export const formatCpu = (figures: CpuPerCall): string[] => formatCpuSpread([figures])

/** The same of some rounds, with the spread. */
export const formatCpuSpread = (rounds: readonly CpuPerCall[]): string[] => [
  spreadOf(rounds, 'serverCpuUs', formatWhole),
  spreadOf(rounds, 'databaseCpuUs', formatWhole),
]
