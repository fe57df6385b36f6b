import { markStalledStatement } from '../../agent/run/stalls'
import { holderId, renewLeaseStatement } from '../../credits/holder'
import type { Env } from '../../env'
import { startWatchdog } from '../../kit/watchdog'

/** Starts this process's watchdog, unless it is turned off. Returns what stops it. */
export function startProcessWatchdog({ DATABASE_URL, WATCHDOG_S }: Env): () => Promise<void> {
  if (WATCHDOG_S === 0) return async () => {}
  return startWatchdog({
    databaseUrl: DATABASE_URL,
    renew: renewLeaseStatement(),
    stalled: markStalledStatement(holderId()),
    stallMs: WATCHDOG_S * 1_000,
  })
}
