import { runStatement } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { creditsLost, holdsSwept, lastSweep, oldHolds } from './metrics'
import { sumUpUsage } from './sum-up'

type Swept = { swept: number; credits: number }

const MAX_BATCH = 500
/** Older than any call can be, seconds: such a hold has been forgotten. */
const OLD_HOLD_S = 600

const SWEEP = statement({
  name: 'credits_sweep',
  sql: 'SELECT * FROM credits_sweep($1, $2::uuid[])',
  params: ['int', 'uuid[]'],
  columns: { swept: 'int', credits: 'bigint' },
})
const FIRST_DEAD = statement({
  name: 'credits_dead_holds',
  sql: 'SELECT id FROM credits_dead_holds(1, $1::uuid[]) AS id',
  params: ['uuid[]'],
  columns: { id: 'uuid' },
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

const sweepSome = async (max: number, skip: readonly string[]): Promise<Swept> => {
  const [row] = await runStatement(SWEEP, [max, skip])
  return { swept: row?.swept ?? 0, credits: Number(row?.credits ?? 0) }
}

/**
 * Voids the holds of dead processes. Returns how many there were and the credits they held, which
 * count as lost: nobody knows what those calls cost. A hold that cannot be ended is left out and
 * logged; the others are not kept waiting. Throws `unavailable`.
 */
export async function sweepHolds(): Promise<Swept> {
  const total: Swept = { swept: 0, credits: 0 }
  const skip: string[] = []
  let max = MAX_BATCH
  for (;;) {
    const part = await sweepSome(max, skip).catch(async (error: unknown) => {
      if (error instanceof AppError) throw error
      return { error: error as Error, id: max === 1 ? await firstDead(skip) : null }
    })
    if ('error' in part) {
      if (part.id) skip.push(part.id)
      if (max === 1) log.error({ hold: part.id, err: part.error.message }, 'a hold of a dead process cannot be ended')
      if (max === 1 && !part.id) return total
      max = Math.max(1, Math.floor(max / 8))
      continue
    }
    note(part)
    total.swept += part.swept
    total.credits += part.credits
    if (part.swept < max) return total
  }
}

function note({ swept, credits }: Swept): void {
  if (swept === 0) return
  holdsSwept.inc(swept)
  creditsLost.inc(credits)
  log.warn({ swept, credits }, 'voided holds of a dead process')
}

async function firstDead(skip: readonly string[]): Promise<string | null> {
  const [row] = await runStatement(FIRST_DEAD, [skip])
  return row?.id ?? null
}

/** Counts holds that are older than any call, for metrics and readiness. */
async function countOldHolds(): Promise<void> {
  const [row] = await runStatement(OLD_HOLDS, [OLD_HOLD_S])
  oldHolds.set(row?.count ?? 0)
  if (row && row.count > 0) log.error({ holds: row.count }, 'holds are older than the longest call')
}

async function keepHouse(): Promise<void> {
  await sweepHolds()
  await runStatement(FORGET_HOLDERS, [])
  await countOldHolds()
  await sumUpUsage()
  lastSweep.setToCurrentTime()
}

/**
 * Sweeps every 15 s, so that a dead process's holds are void within 45 s + one sweep. Returns what
 * stops it.
 */
export function startSweeping(): () => void {
  const run = () => keepHouse().catch((err: Error) => log.error({ err: err.message }, 'sweep failed'))
  void run()
  const timer = setInterval(run, 15_000)
  timer.unref()
  return () => clearInterval(timer)
}
