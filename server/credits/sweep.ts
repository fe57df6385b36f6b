import { runStatement } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { databaseFault } from '../kit/pg-errors'
import { statement } from '../kit/statement'
import { creditsLost, holdsSwept, lastSweep, oldHolds } from './metrics'
import { replayJournals } from './replay-journals'
import { sumUpUsage } from './sum-up'

type Swept = { swept: number; credits: number }

const MAX_BATCH = 500
/** Older than any call can be, seconds: such a hold has been forgotten. */
const OLD_HOLD_S = 600

/** Read apart from ending them: the clock that this notes is not locked while owners are. */
const DEAD_HOLDS = statement({
  name: 'credits_dead_holds',
  sql: `SELECT h.id, h.owner_id AS "ownerId" FROM credits_dead_holds($1, $2::uuid[]) AS d JOIN hold h ON h.id = d`,
  params: ['int', 'uuid[]'],
  columns: { id: 'uuid', ownerId: 'int' },
})
const SWEEP = statement({
  name: 'credits_sweep_holds',
  sql: 'SELECT swept, credits FROM credits_sweep_holds($1::uuid[])',
  params: ['uuid[]'],
  columns: { swept: 'int', credits: 'bigint' },
})
const OLD_HOLDS = statement({
  name: 'credits_old_holds',
  sql: 'SELECT count(*)::int AS count FROM hold WHERE created_at < now() - make_interval(secs => $1)',
  params: ['float8'],
  columns: { count: 'int' },
})
const FORGET_HOLDERS = statement({
  name: 'credits_forget_holders',
  sql: 'SELECT credits_forget_holders()',
  params: [],
  columns: { credits_forget_holders: 'void' },
})

/** A hold of a process that has no lease. */
type DeadHold = { id: string; ownerId: number }

/**
 * Voids the holds of dead processes. Returns how many there were and the credits they held, which
 * count as lost: nobody knows what those calls cost. A hold that cannot be ended, for what is in it
 * or because a row of its owner is locked, is left out and logged; the others are not kept waiting.
 * Throws `unavailable`.
 */
export async function sweepHolds(): Promise<Swept> {
  const total: Swept = { swept: 0, credits: 0 }
  const left: string[] = []
  for (;;) {
    const dead = await runStatement(DEAD_HOLDS, [MAX_BATCH, left])
    left.push(...(await endHolds(dead, total)))
    if (dead.length < MAX_BATCH) return total
  }
}

/**
 * Ends holds together; where one of them prevents it, those of each owner, and then one by one.
 * Returns the ids of those that could not be ended.
 */
async function endHolds(holds: readonly DeadHold[], total: Swept): Promise<string[]> {
  const [first] = holds
  if (!first) return []
  try {
    note(await sweepSome(holds), total)
    return []
  } catch (error) {
    if (error instanceof AppError) throw error
    const isLocked = databaseFault(error) === 'locked'
    const parts = partsOf(holds, isLocked)
    if (parts.length === 1) {
      log.error({ hold: first.id, owner: first.ownerId, err: (error as Error).message }, 'holds cannot be ended now')
      return holds.map(({ id }) => id)
    }
    const left: string[] = []
    for (const part of parts) left.push(...(await endHolds(part, total)))
    return left
  }
}

/** Holds by owner; of one owner one by one, unless its lock is what keeps them all. */
function partsOf(holds: readonly DeadHold[], isLocked: boolean): DeadHold[][] {
  const byOwner = [...Map.groupBy(holds, ({ ownerId }) => ownerId).values()]
  return byOwner.length > 1 || isLocked ? byOwner : holds.map((hold) => [hold])
}

async function sweepSome(holds: readonly DeadHold[]): Promise<Swept> {
  const [row] = await runStatement(SWEEP, [holds.map(({ id }) => id)], { shared: true })
  return { swept: row?.swept ?? 0, credits: Number(row?.credits ?? 0) }
}

function note({ swept, credits }: Swept, total: Swept): void {
  if (swept === 0) return
  total.swept += swept
  total.credits += credits
  holdsSwept.inc(swept)
  creditsLost.inc(credits)
  log.warn({ swept, credits }, 'voided holds of a dead process')
}

/** Counts holds that are older than any call, for metrics and readiness. */
async function countOldHolds(): Promise<void> {
  const [row] = await runStatement(OLD_HOLDS, [OLD_HOLD_S])
  oldHolds.set(row?.count ?? 0)
  if (row && row.count > 0) log.error({ holds: row.count }, 'holds are older than the longest call')
}

/** What a sweep does, in order; what fails is logged and stops nothing else. */
const HOUSEWORK: readonly [string, () => Promise<unknown>][] = [
  ['journals of dead processes', replayJournals],
  ['sweep', sweepHolds],
  ['forgetting dead processes', () => runStatement(FORGET_HOLDERS, [])],
  ['counting old holds', countOldHolds],
  ['summing usage', sumUpUsage],
]

async function keepHouse(): Promise<void> {
  let isDone = true
  for (const [what, work] of HOUSEWORK) {
    try {
      await work()
    } catch (error) {
      isDone = false
      log.error({ err: (error as Error).message, what }, 'sweep failed')
      if (databaseFault(error) === 'lost') return
    }
  }
  if (isDone) lastSweep.setToCurrentTime()
}

/**
 * Sweeps every 15 s, so that a dead process's holds are void within 45 s + one sweep. Returns what
 * stops it.
 */
export function startSweeping(): () => void {
  let isSweeping = false
  const run = async () => {
    if (isSweeping) return
    isSweeping = true
    await keepHouse()
    isSweeping = false
  }
  void run()
  const timer = setInterval(run, 15_000)
  timer.unref()
  return () => clearInterval(timer)
}
