import type { PgBoss } from 'pg-boss'
import { databaseUnavailable, isDatabaseUnavailable } from '../../db'
import { directDatabaseUrl, env } from '../../env'
import { connectionName, shareConnections } from '../../kit/connections'
import { log } from '../../kit/log'
import { connectionSettings } from '../../kit/pg-pool'
import { QUEUE_SCHEMA } from './setup'

/**
 * A connection to the queue. A worker's also receives messages, and recovers those whose worker
 * died.
 */
export async function openQueue({ isWorker }: { isWorker: boolean }): Promise<PgBoss> {
  // Loaded here: most processes never send, and it is a tenth of what they would load.
  const pgBoss = await import('pg-boss')
  const boss = new pgBoss.PgBoss({
    ...connectionSettings({
      url: directDatabaseUrl(env()),
      name: connectionName('queue'),
      max: isWorker ? shareConnections(env().DATABASE_CONNECTIONS).queue : 1,
      statementMs: 30_000,
      lockMs: 10_000,
    }),
    schema: QUEUE_SCHEMA,
    migrate: false,
    schedule: false,
    supervise: isWorker,
    useListenNotify: isWorker,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  boss.on('error', (error) => log.warn({ err: error.message }, 'queue'))
  boss.on('warning', ({ message }) => log.debug({ message }, 'queue'))
  await boss.start()
  return boss
}

const connection = { boss: undefined as Promise<PgBoss> | undefined }

/**
 * The connection through which this process sends. After a failed start the next call tries again.
 */
export function sendingQueue(): Promise<PgBoss> {
  const slot = connection
  slot.boss ??= openQueue({ isWorker: false }).catch((error) => {
    slot.boss = undefined
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  })
  return slot.boss
}

/** Closes the connection through which this process sends. */
export async function closeQueue(): Promise<void> {
  const slot = connection
  const boss = await slot.boss?.catch(() => undefined)
  slot.boss = undefined
  await boss?.stop({ graceful: false })
}
