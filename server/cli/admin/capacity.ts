import type { Measured } from '../capacity/measure'
import type { CapacityPlan, Demand } from '../capacity/plan'
import { type AdminCommand, CommandError, type CommandOptions, integerOption } from './options'

const string = { type: 'string' } as const

/** More are several installations. */
const MAX_RPS = 100_000
const MAX_AGENTS = 1_000_000
const MAX_SECONDS = 60

function numberOption(options: CommandOptions, name: string, [least, most]: [number, number]): number | undefined {
  const value = integerOption(options, name)
  if (value !== undefined && (value < least || value > most))
    throw new CommandError(`--${name} must be between ${least} and ${most}.`)
  return value
}

function demandOf(options: CommandOptions): Demand {
  const rps = numberOption(options, 'rps', [1, MAX_RPS])
  if (rps === undefined) throw new CommandError('--rps is missing: requests a second.')
  return { rps, agents: numberOption(options, 'agents', [0, MAX_AGENTS]) ?? 0 }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

const counted = (n: number, one: 'core' | 'process'): string =>
  n === 1 ? `1 ${one}` : `${n} ${one === 'core' ? 'cores' : 'processes'}`

/** The unit that operators buy memory in. */
const memory = (mib: number): string => `${(mib / 1_024).toFixed(1)} GiB`

function measuredLines(found: Measured): string[] {
  const reached = found.calls / found.seconds
  const what = found.databaseCpuIs === 'cpu' ? 'CPU' : 'active time, an upper bound,'
  return [
    `Measured: ${whole(found.calls)} billed calls in ${found.seconds.toFixed(1)} s, on this machine and its PostgreSQL`,
    `  the ledger's part of a web process: ${whole(found.ledgerCpuUs)} µs CPU a call`,
    `  PostgreSQL: ${whole(found.databaseCpuUs)} µs ${what} a call`,
    `  receipts and ledger: ${whole(found.diskBytes)} bytes a call; WAL: ${whole(found.walBytes)} bytes a call`,
    ...(reached < found.rate * 0.9
      ? [
          `  Only ${whole(reached)} of ${whole(found.rate)} calls a second were reached: this machine is too slow or busy.`,
        ]
      : []),
  ]
}

/** `bytes` writes sizes of files, in powers of 1,000 as disks are sold. */
function planLines(
  { rps, agents }: Demand,
  { web, worker, postgres, disk, walADay }: CapacityPlan,
  { bytes, maxConnections }: { bytes: (n: number) => string; maxConnections: number },
): string[] {
  return [
    `For ${whole(rps)} requests a second and ${whole(agents)} agents in progress, day and night:`,
    `  web: ${counted(web.processes, 'process')}, ${memory(web.memoryMiB)}, ${web.busyCores} of their cores busy`,
    `  worker: ${counted(worker.processes, 'process')}, ${memory(worker.memoryMiB)}, ${worker.busyCores} of their cores busy`,
    `  PostgreSQL: ${counted(postgres.cores, 'core')} (${postgres.busyCores} busy), ${memory(postgres.memoryMiB)}`,
    `  connections: ${postgres.connections}; max_connections ${postgres.maxConnections} for a restart without a pause; it is ${maxConnections}`,
    `  disk: ${bytes(disk.aDay)} a day, ${bytes(disk.aYear)} a year`,
    `  WAL: ${bytes(walADay)} a day`,
  ]
}

export const capacityCommand: AdminCommand = {
  name: 'capacity',
  usage:
    '--rps N [--agents N] [--seconds N]   (processes, memory, PostgreSQL and disk for a load, from a short measurement here)',
  options: { rps: string, agents: string, seconds: string },
  run: async (options) => {
    const demand = demandOf(options)
    const seconds = numberOption(options, 'seconds', [1, MAX_SECONDS]) ?? 6
    const [{ measureCalls }, { planCapacity }, { ASSUMPTIONS, assumptionLines }, { readableBytes }, { env }] =
      await Promise.all([
        import('../capacity/measure'),
        import('../capacity/plan'),
        import('../capacity/assumptions'),
        import('../backup/progress'),
        import('../../env'),
      ])
    const { DATABASE_CONNECTIONS: connectionsOfEach, RETAIN_RECEIPTS_DAYS } = env()
    const measured = await measureCalls({ rps: demand.rps, seconds })
    const plan = planCapacity(demand, measured, { connectionsOfEach, sharedBuffersMiB: measured.sharedBuffersMiB })
    const kept = RETAIN_RECEIPTS_DAYS
      ? `Receipts are deleted after ${RETAIN_RECEIPTS_DAYS} days; the ledger stays.`
      : 'Receipts are never deleted unless RETAIN_RECEIPTS_DAYS says so.'
    const lines = [
      ...measuredLines(measured),
      ...planLines(demand, plan, { bytes: readableBytes, maxConnections: measured.maxConnections }),
      kept,
      'Assumed (sections of tests/bench/RESULTS.md):',
      ...assumptionLines(),
    ]
    return { data: { ...demand, measured, plan, assumed: ASSUMPTIONS }, text: lines.join('\n') }
  },
}
