import { markStalledStatement } from '../../agent/run/stalls'
import { holderId, renewLeaseStatement } from '../../credits/holder'
import { directDatabaseUrl, type Env } from '../../env'
import { connectionName } from '../../kit/connections'
import { startWatchdog } from './watchdog'

/** Starts this process's watchdog, unless it is turned off. Returns what stops it. */
export function startProcessWatchdog(env: Env): () => Promise<void> {
  if (env.WATCHDOG_S === 0) return async () => {}
  return startWatchdog({
    databaseUrl: directDatabaseUrl(env),
    name: connectionName('watchdog'),
    renew: renewLeaseStatement(),
    stalled: markStalledStatement(holderId()),
    stallMs: env.WATCHDOG_S * 1_000,
  })
}
