import { PgBoss } from 'pg-boss'
import { databaseUnavailable, isDatabaseUnavailable, runStatement } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { connectionSettings } from '../../kit/pg-pool'
import { processSingleton } from '../../kit/process-singleton'
import { statement } from '../../kit/statement'
import { QUEUE_SCHEMA, RUN_QUEUE } from './setup'

export type RunRef = { jobId: string; runId: string }

/** A connection to the queue. `works`: it also takes messages and watches over those that others took. */
export async function openQueue({ works }: { works: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connectionSettings({
      url: env().DATABASE_URL,
      name: 'tollgate-queue',
      max: works ? 4 : 1,
      statementMs: 30_000,
      lockMs: 10_000,
    }),
    schema: QUEUE_SCHEMA,
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
  const slot = processSingleton('queue', () => ({ boss: undefined as Promise<PgBoss> | undefined }))
  slot.boss ??= openQueue({ works: false }).catch((error) => {
    slot.boss = undefined
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  })
  return slot.boss
}

/** Ends the connection through which this process sent, if there is one. */
export async function closeQueue(): Promise<void> {
  const slot = processSingleton('queue', () => ({ boss: undefined as Promise<PgBoss> | undefined }))
  const boss = await slot.boss?.catch(() => undefined)
  slot.boss = undefined
  await boss?.stop({ graceful: false })
}

/** A message to the workers, not sent yet: the queue's own statement and its one parameter. */
export type QueueMessage = { sql: string; payload: string }

/**
 * A message that asks the workers to run a segment. Our SQL functions send it in the statement that makes it necessary:
 * it is sent if and only if that is committed.
 */
export async function queueMessageFor(segment: RunRef, startAfterS = 0): Promise<QueueMessage> {
  const boss = await sender()
  const made: QueueMessage[] = []
  const executeSql = async (sql: string, values: unknown[] = []) => {
    made.push({ sql, payload: String(values[0]) })
    return { rows: [{ id: 'not sent yet' }] }
  }
  await boss.send(RUN_QUEUE, segment, { db: { executeSql }, singletonKey: segment.jobId, startAfter: startAfterS })
  const [message] = made
  if (!message || made.length > 1) throw new AppError('internal_error', 'The queue sends with more than one statement.')
  return message
}

type SendOptions = {
  startAfterS?: number
  /** Only if no message for it is waiting or in progress. */
  isLost?: boolean
}

const SEND = statement({
  name: 'agent_send',
  sql: 'SELECT agent_send($1, $2, $3, $4, $5) AS sent',
  params: ['uuid', 'uuid', 'boolean', 'text', 'text'],
  columns: { sent: 'boolean' },
  isPrepared: true,
})

/** Sends a segment of a live run to the workers. Returns whether it did. */
export async function enqueueRun(segment: RunRef, { startAfterS, isLost = false }: SendOptions = {}): Promise<boolean> {
  const { sql, payload } = await queueMessageFor(segment, startAfterS)
  const [row] = await runStatement(SEND, [segment.jobId, segment.runId, isLost, sql, payload])
  return row?.sent ?? false
}

/** SQL: whether a message for the job `j` is waiting or at work. */
export const HAS_PENDING_MESSAGE = `EXISTS (SELECT 1 FROM ${QUEUE_SCHEMA}.job m WHERE m.name = '${RUN_QUEUE}' AND m.state < 'completed' AND m.singleton_key = j.id::text)`
