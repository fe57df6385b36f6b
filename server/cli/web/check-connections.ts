import { hotPool } from '../../db'
import { env } from '../../env'
import { connectionLimit } from '../../kit/connections'
import { log } from '../../kit/log'
import { siblingCount, siblingSlot } from '../../kit/siblings'

type Connections = { available: number; others: number }

/**
 * Warns where PostgreSQL has fewer connections than the processes that it sees may open, with those
 * that are about to start beside this one. The first of several says so for all.
 */
export async function checkConnections(): Promise<void> {
  if ((siblingSlot() ?? 1) > 1) return
  const each = connectionLimit(env().DATABASE_CONNECTIONS)
  const { available, others } = await readConnections()
  const processes = others + siblingCount()
  const needed = processes * each
  if (needed <= available) return
  log.warn(
    { available, processes, each, needed },
    'PostgreSQL has fewer connections than these processes may open: raise max_connections or lower DATABASE_CONNECTIONS',
  )
}

/** What PostgreSQL gives to ordinary roles, and how many other Tollgate processes it sees. */
async function readConnections(): Promise<Connections> {
  const { rows } = await hotPool().query<Connections>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0) AS available,
       count(DISTINCT (client_addr, split_part(application_name, ' ', 3)))::int AS others
     FROM pg_stat_activity
     WHERE application_name LIKE 'tollgate w%' AND split_part(application_name, ' ', 3) <> $1`,
    [String(process.pid)],
  )
  return rows[0] ?? { available: 0, others: 0 }
}
