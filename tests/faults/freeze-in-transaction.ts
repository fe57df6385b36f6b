import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster'
import type { RestartableCommand } from './npm-process'

const TRY_FOR_MS = 4_000
const ABANDONED_MS = 150

const OPEN = `SELECT pid, xact_start::text AS since FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%'`

type Open = { pid: number; since: string }

/**
 * Stops a process in the middle of a transaction where it can be caught in one: then its locks are
 * held as long as it is stopped. A process whose transactions take one round trip is never caught,
 * and is stopped anywhere after a while.
 */
export async function freezeInTransaction({ database }: Cluster, target: RestartableCommand): Promise<void> {
  for (const end = Date.now() + TRY_FOR_MS; ; ) {
    target.signal('SIGSTOP')
    const open = await database.query<Open>(OPEN)
    if (open.length > 0) {
      await sleep(ABANDONED_MS)
      const still = await database.query<Open>(OPEN)
      if (still.some(({ pid, since }) => open.some((before) => before.pid === pid && before.since === since))) return
    }
    if (Date.now() > end) return
    target.signal('SIGCONT')
    await sleep(10 + Math.random() * 40)
  }
}
