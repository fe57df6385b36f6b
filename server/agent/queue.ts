import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { databaseDown, isDatabaseDown } from '../db'
import { env } from '../env'
import { log } from '../kit/log'
import { once } from '../kit/once'
import { connectionSettings } from '../kit/pg-pool'
import { RUNS, SCHEMA } from './queue-setup'

export type Segment = { jobId: string; runId: string }

/** A connection to the queue. `works`: it also takes messages and watches over those that others took. */
export async function openQueue({ works }: { works: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connectionSettings({
      url: env().DATABASE_URL,
      name: 'tollgate queue',
      max: works ? 4 : 1,
      statementMs: 30_000,
      lockMs: 10_000,
    }),
    schema: SCHEMA,
    migrate: false,
    schedule: false,
    supervise: works,
    useListenNotify: works,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  boss.on('error', (error) => log.warn({ err: error.message }, 'queue'))
  boss.on('warning', ({ message }) => log.debug({ message }, 'queue'))
  await boss.start()
  return boss
}

/** The connection through which this process sends. A failed start is tried again at the next message. */
function sender(): Promise<PgBoss> {
  const slot = once('queue', () => ({ boss: undefined as Promise<PgBoss> | undefined }))
  slot.boss ??= openQueue({ works: false }).catch((error) => {
    slot.boss = undefined
    throw isDatabaseDown(error) ? databaseDown(error) : error
  })
  return slot.boss
}

/** Ends the connection through which this process sent, if there is one. */
export async function closeQueue(): Promise<void> {
  const slot = once('queue', () => ({ boss: undefined as Promise<PgBoss> | undefined }))
  const boss = await slot.boss?.catch(() => undefined)
  slot.boss = undefined
  await boss?.stop({ graceful: false })
}

/** Sends a segment to the workers, inside a transaction of the caller's: it is sent if and only if that is committed. */
export async function enqueue(db: pg.PoolClient, segment: Segment, startAfterS = 0): Promise<void> {
  const boss = await sender()
  const executeSql = (text: string, values?: unknown[]) => db.query(text, values)
  await boss.send(RUNS, segment, { db: { executeSql }, singletonKey: segment.jobId, startAfter: startAfterS })
}

/** SQL: whether a message for the job `j` is waiting or at work. */
export const HAS_MESSAGE = `EXISTS (SELECT 1 FROM ${SCHEMA}.job m WHERE m.name = '${RUNS}' AND m.state < 'completed' AND m.singleton_key = j.id::text)`
