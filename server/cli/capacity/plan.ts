import { connectionsOfEach, type ProcessKind, usualConnections } from '../../kit/connections'
import { ASSUMPTIONS } from './assumptions'

/** What is to be served: requests a second, and agent runs in progress. */
export type Demand = { rps: number; agents: number }

/** What one billed call costs the ledger, without what goes on beside it. */
export type CallCost = { ledgerCpuUs: number; databaseCpuUs: number; diskBytes: number; walBytes: number }

/** Settings of the service and of the server that bound a plan. */
export type Limits = { connectionsOfEach: number | undefined; sharedBuffersMiB: number }

export type CapacityPlan = {
  web: { processes: number; busyCores: number; memoryMiB: number }
  worker: { processes: number; busyCores: number; memoryMiB: number }
  postgres: { cores: number; busyCores: number; memoryMiB: number; connections: number; maxConnections: number }
  /** Bytes. Receipts stay unless RETAIN_RECEIPTS_DAYS says otherwise. */
  disk: { aDay: number; aYear: number }
  walADay: number
}

/** Runs at a time in a worker, as docs/guides/scaling.md says. */
const RUNS_OF_WORKER = 48
/** Reserved by PostgreSQL, and for commands and people. */
const OTHER_CONNECTIONS = 13
const DAY_S = 86_400

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** How many cores at the planned share of each carry so much work. */
const coresFor = (busyCores: number): number => Math.ceil(busyCores / (ASSUMPTIONS.busy.value / 100))

/** Connections of a process without DATABASE_CONNECTIONS, its command's processes on one host. */
const usualOf = (kind: ProcessKind, processes: number): number =>
  processes > 1 ? connectionsOfEach(processes) : usualConnections(kind)

/** What serves a demand, at what a call costs here. */
export function planCapacity({ rps, agents }: Demand, cost: CallCost, limits: Limits): CapacityPlan {
  const { value: stepS } = ASSUMPTIONS.stepS
  const steps = agents / stepS
  const webBusy = (rps * (cost.ledgerCpuUs + ASSUMPTIONS.webCpuUs.value)) / 1e6
  const workerBusy = (steps * ASSUMPTIONS.workerCpuUs.value) / 1e6
  const web = Math.max(1, coresFor(webBusy))
  const worker = agents === 0 ? 0 : Math.max(Math.ceil(agents / RUNS_OF_WORKER), coresFor(workerBusy))
  const inProgressMiB = (rps * ASSUMPTIONS.requestS.value * ASSUMPTIONS.streamKiB.value) / 1_024

  const databaseBusy = (rps * cost.databaseCpuUs + steps * ASSUMPTIONS.stepDatabaseCpuUs.value) / 1e6
  const webEach = limits.connectionsOfEach ?? usualOf('web', web)
  const workerEach = limits.connectionsOfEach ?? usualOf('worker', worker)
  const connections = web * webEach + worker * workerEach
  // While processes are replaced, each command has one more.
  const replaced = webEach + (worker > 0 ? workerEach : 0)

  const stepBytes = steps * ASSUMPTIONS.stepBytes.value
  const aDay = ((rps + steps) * cost.diskBytes + stepBytes) * DAY_S
  return {
    web: {
      processes: web,
      busyCores: rounded(webBusy),
      memoryMiB: Math.ceil(web * ASSUMPTIONS.webMiB.value + inProgressMiB),
    },
    worker: { processes: worker, busyCores: rounded(workerBusy), memoryMiB: worker * ASSUMPTIONS.workerMiB.value },
    postgres: {
      cores: Math.max(1, coresFor(databaseBusy)),
      busyCores: rounded(databaseBusy),
      memoryMiB: Math.ceil(limits.sharedBuffersMiB + connections * ASSUMPTIONS.connectionMiB.value),
      connections,
      maxConnections: connections + replaced + OTHER_CONNECTIONS,
    },
    disk: { aDay: Math.round(aDay), aYear: Math.round(aDay * 365) },
    walADay: Math.round(((rps + steps) * cost.walBytes + 2 * stepBytes) * DAY_S),
  }
}
