import type { PgBoss } from 'pg-boss'
import { runStatement } from '../../db'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { QUEUE_SCHEMA, WEBHOOK_QUEUE } from '../queue/setup'
import { deliverForOwner } from './deliver'
import { writeTaskDeliveries } from './task-events'

/** Owners whose deliveries one worker sends at the same time. */
const CONCURRENCY = 16
/** How often a worker looks for owners with deliveries that are due. */
const LOOK_MS = 1_000

const OPTIONS = {
  batchSize: 1,
  localConcurrency: CONCURRENCY,
  pollingIntervalSeconds: 5,
  notifyPollingIntervalSeconds: 30,
  heartbeatRefreshSeconds: 2,
} as const

/** The owners of a table with pending deliveries, each found by its index; those with one due. */
const dueIn = (table: string) => `SELECT f.id FROM (WITH RECURSIVE found AS (
      SELECT min(owner_id) AS id FROM ${table} WHERE status = 'pending'
      UNION ALL
      SELECT (SELECT min(d.owner_id) FROM ${table} d WHERE d.status = 'pending' AND d.owner_id > f.id)
      FROM found f WHERE f.id IS NOT NULL) SELECT id FROM found) f
    WHERE EXISTS (SELECT 1 FROM ${table} d WHERE d.owner_id = f.id AND d.status = 'pending' AND d.due_at <= now())`

/** Owners with deliveries that are due, unless a message for them is waiting or in progress. */
const DUE_OWNERS = statement({
  name: 'webhook_due_owners',
  sql: `SELECT o.id AS "ownerId" FROM (${dueIn('webhook_delivery')} UNION ${dueIn('task_delivery')}) o
    WHERE NOT EXISTS (SELECT 1 FROM ${QUEUE_SCHEMA}.job m
        WHERE m.name = '${WEBHOOK_QUEUE}' AND m.state < 'completed' AND m.singleton_key = o.id::text)
    LIMIT 500`,
  params: [],
  columns: { ownerId: 'int' },
})

type OwnerRef = { ownerId: number }

async function sendDueOwners(boss: PgBoss): Promise<void> {
  await writeTaskDeliveries()
  for (const { ownerId } of await runStatement(DUE_OWNERS, [])) {
    const ref: OwnerRef = { ownerId }
    await boss.send(WEBHOOK_QUEUE, ref, { singletonKey: String(ownerId) })
  }
}

/**
 * Sends deliveries through the queue until it is stopped: one message an owner, so that owners take
 * turns. The rows are the truth: a message only says that there is something to do, so nothing is
 * lost with it. Returns what stops looking for more; the queue itself ends with `boss`.
 */
export async function startDeliveries(boss: PgBoss, stopping: AbortSignal): Promise<() => void> {
  await boss.work<OwnerRef>(WEBHOOK_QUEUE, OPTIONS, async ([message]) => {
    if (message) await deliverForOwner(message.data.ownerId, stopping)
  })
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    await sendDueOwners(boss).catch((error: Error) => log.warn({ err: error.message }, 'looking for deliveries failed'))
    isLooking = false
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
