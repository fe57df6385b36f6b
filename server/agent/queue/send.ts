import { runIn, runStatement, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import { sendingQueue } from './connection'
import { QUEUE_SCHEMA, RUN_QUEUE } from './setup'

/** A run of a job: all that a message to the workers holds. */
export type RunRef = { jobId: string; runId: string }

/**
 * A message to the workers that is not sent yet: the queue's own statement and its one parameter.
 */
export type QueueMessage = { sql: string; payload: string }

/**
 * A message that asks a worker to continue a run. The SQL function whose change needs the message
 * sends it, so it is sent if and only if that change is committed.
 */
export async function queueMessageFor(ref: RunRef, startAfterS = 0): Promise<QueueMessage> {
  const boss = await sendingQueue()
  const messages: QueueMessage[] = []
  const executeSql = async (sql: string, values: unknown[] = []) => {
    messages.push({ sql, payload: String(values[0]) })
    return { rows: [{ id: 'not sent yet' }] }
  }
  await boss.send(RUN_QUEUE, ref, { db: { executeSql }, singletonKey: ref.jobId, startAfter: startAfterS })
  const [message] = messages
  if (!message || messages.length > 1) {
    throw new AppError('internal_error', 'The queue sends with more than one statement.')
  }
  return message
}

type EnqueueOptions = {
  startAfterS?: number
  /** Only if no message for the run is waiting or in progress. */
  onlyIfLost?: boolean
}

const SEND = statement({
  name: 'agent_send',
  sql: 'SELECT agent_send($1::uuid, $2::uuid, $3, $4, $5) AS sent',
  params: ['uuid', 'uuid', 'boolean', 'text', 'text'],
  columns: { sent: 'boolean' },
  isPrepared: true,
})

/** Sends a live run to the workers. False when the run is not live, or not lost. */
export async function enqueueRun(
  ref: RunRef,
  { startAfterS, onlyIfLost = false }: EnqueueOptions = {},
): Promise<boolean> {
  const { sql, payload } = await queueMessageFor(ref, startAfterS)
  const [row] = await runStatement(SEND, [ref.jobId, ref.runId, onlyIfLost, sql, payload])
  return row?.sent ?? false
}

/** The same in the caller's transaction, of a message that is here already. */
export async function enqueueRunIn(
  tx: Transaction,
  ref: RunRef,
  { message, onlyIfLost }: { message: QueueMessage; onlyIfLost: boolean },
): Promise<boolean> {
  const [row] = await runIn(tx, SEND, [ref.jobId, ref.runId, onlyIfLost, message.sql, message.payload])
  return row?.sent ?? false
}

/** SQL: whether a message for the job `j` is waiting or in progress. */
export const HAS_PENDING_MESSAGE = `EXISTS (SELECT 1 FROM ${QUEUE_SCHEMA}.job m
  WHERE m.name = '${RUN_QUEUE}' AND m.state < 'completed' AND m.singleton_key = j.id::text)`
