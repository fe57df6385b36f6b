import { runRead } from '../db'
import { env } from '../env'
import { log } from '../kit/log'
import { refreshBeforeReading } from '../kit/metrics/exposition'
import { serviceGauge } from '../kit/metrics/registry'
import { type RowOf, statement } from '../kit/statement'
import { withTimeout } from '../kit/with-timeout'
import type { Upkeep } from './upkeep'

const databaseUp = serviceGauge('tollgate_database_up', '1 when the database answered this reading, else 0')
const holds = serviceGauge('tollgate_holds', 'Holds of calls in progress, of all processes')
const held = serviceGauge('tollgate_credits_held', 'Credits that they hold')
const oldestHold = serviceGauge('tollgate_hold_oldest_age_seconds', 'Age of the oldest hold; 0 without any')
const putAside = serviceGauge('tollgate_settlements_put_aside', 'Settlements put aside for an operator')
const runs = serviceGauge('tollgate_agent_runs', 'Runs that have not ended, by status', ['status'])
const messages = serviceGauge('tollgate_queue_messages', 'Messages of a queue: waiting for a worker, or with one', [
  'queue',
  'state',
])
const oldestMessage = serviceGauge('tollgate_queue_oldest_age_seconds', 'How long a due message has waited; 0: none', [
  'queue',
])
const deliveriesDue = serviceGauge('tollgate_webhooks_due', 'Deliveries of webhooks that are due, tried or not')
const liveProcesses = serviceGauge('tollgate_processes', 'Processes whose lease lasts: web and worker together')
const lastBackup = serviceGauge(
  'tollgate_backup_success_timestamp_seconds',
  'Moment of the newest backup that admin backup completed; before the first, when the first account was made',
)
const backupInterval = serviceGauge(
  'tollgate_backup_interval_seconds',
  'Time between two backups as BACKUP_EVERY_H has it; 0: made by other means',
)
const lastDrill = serviceGauge(
  'tollgate_drill_success_timestamp_seconds',
  'When a restored backup last verified in a drill; before the first, when the first account was made',
)
const lastVerify = serviceGauge(
  'tollgate_verify_success_timestamp_seconds',
  'When admin ledger verify last found no difference; before the first time, when the first account was made',
)

/** A reading is used for so long, so that several scrapers cost one query. */
const FRESH_MS = 5_000
const TIMEOUT_MS = 2_000
/** Rows counted where there may be very many. */
const MAX_COUNTED = 10_000

const QUEUES = { runs: 'agent-runs', webhooks: 'agent-webhooks' } as const

/** When a task last succeeded, in seconds; never: when there was something to be lost. */
const sinceEpoch = (task: Upkeep) =>
  `coalesce((SELECT extract(epoch FROM started_at) FROM retention WHERE name = '${task}'),
        (SELECT extract(epoch FROM created_at) FROM owner ORDER BY id LIMIT 1), extract(epoch FROM now()))::bigint`

const READ = statement({
  name: 'service_gauges',
  sql: `SELECT h.holds, h.credits, h.age AS "holdAge",
      (SELECT count(*) FROM settlement_dead)::int AS "putAside",
      (SELECT count(*) FROM job WHERE status IN ('running', 'awaiting_input') AND status = 'running')::int AS running,
      (SELECT count(*) FROM job WHERE status IN ('running', 'awaiting_input') AND status = 'awaiting_input')::int AS awaiting,
      q."runsWaiting", q."runsActive", q."runsAge", q."webhooksWaiting", q."webhooksActive", q."webhooksAge",
      (SELECT count(*) FROM (SELECT 1 FROM webhook_delivery WHERE status = 'pending' AND due_at <= now()
        UNION ALL SELECT 1 FROM task_delivery WHERE status = 'pending' AND due_at <= now() LIMIT ${MAX_COUNTED}) d)::int
        AS "deliveriesDue",
      (SELECT count(*) FROM holder WHERE lease_until > now())::int AS processes,
      ${sinceEpoch('backup')} AS "backupAt", ${sinceEpoch('drill')} AS "drillAt", ${sinceEpoch('verify')} AS "verifyAt"
    FROM (SELECT count(*)::int AS holds, coalesce(sum(amount), 0)::bigint AS credits,
        coalesce(extract(epoch FROM now() - min(created_at)), 0)::int AS age FROM hold) h,
      (SELECT (count(*) FILTER (WHERE name = '${QUEUES.runs}' AND state < 'active'))::int AS "runsWaiting",
        (count(*) FILTER (WHERE name = '${QUEUES.runs}' AND state = 'active'))::int AS "runsActive",
        coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE name = '${QUEUES.runs}' AND state < 'active'
          AND start_after <= now())), 0)::int AS "runsAge",
        (count(*) FILTER (WHERE name = '${QUEUES.webhooks}' AND state < 'active'))::int AS "webhooksWaiting",
        (count(*) FILTER (WHERE name = '${QUEUES.webhooks}' AND state = 'active'))::int AS "webhooksActive",
        coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE name = '${QUEUES.webhooks}' AND state < 'active'
          AND start_after <= now())), 0)::int AS "webhooksAge"
      FROM pgboss.job WHERE name IN ('${QUEUES.runs}', '${QUEUES.webhooks}') AND state < 'completed') q`,
  params: [],
  columns: {
    holds: 'int',
    credits: 'bigint',
    holdAge: 'int',
    putAside: 'int',
    running: 'int',
    awaiting: 'int',
    runsWaiting: 'int',
    runsActive: 'int',
    runsAge: 'int',
    webhooksWaiting: 'int',
    webhooksActive: 'int',
    webhooksAge: 'int',
    deliveriesDue: 'int',
    processes: 'int',
    backupAt: 'bigint',
    drillAt: 'bigint',
    verifyAt: 'bigint',
  },
})

function show(row: RowOf<typeof READ>): void {
  databaseUp.set(1)
  holds.set(row.holds)
  held.set(Number(row.credits))
  oldestHold.set(row.holdAge)
  putAside.set(row.putAside)
  runs.labels('running').set(row.running)
  runs.labels('awaiting_input').set(row.awaiting)
  messages.labels('runs', 'waiting').set(row.runsWaiting)
  messages.labels('runs', 'active').set(row.runsActive)
  oldestMessage.labels('runs').set(row.runsAge)
  messages.labels('webhooks', 'waiting').set(row.webhooksWaiting)
  messages.labels('webhooks', 'active').set(row.webhooksActive)
  oldestMessage.labels('webhooks').set(row.webhooksAge)
  deliveriesDue.set(row.deliveriesDue)
  liveProcesses.set(row.processes)
  lastBackup.set(Number(row.backupAt))
  backupInterval.set(env().BACKUP_EVERY_H * 3_600)
  lastDrill.set(Number(row.drillAt))
  lastVerify.set(Number(row.verifyAt))
}

const SINGLE = [
  ...[holds, held, oldestHold, putAside, deliveriesDue, liveProcesses],
  ...[lastBackup, backupInterval, lastDrill, lastVerify],
]

/** With the database away there are no values rather than old ones. */
function showDatabaseAway(): void {
  for (const single of SINGLE) single.remove()
  for (const labelled of [runs, messages, oldestMessage]) labelled.reset()
  databaseUp.set(0)
}

async function readRow(): Promise<RowOf<typeof READ> | null> {
  try {
    return (await withTimeout(runRead(READ, []), TIMEOUT_MS))?.[0] ?? null
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'the gauges of the service could not be read')
    return null
  }
}

/** Reads what the processes share, at most every some seconds, whenever metrics are read. */
export function startServiceGauges(): void {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  const refresh = async () => {
    const row = await readRow()
    if (row) show(row)
    else showDatabaseAway()
    readAt = performance.now()
    reading = null
  }
  refreshBeforeReading(async () => {
    if (performance.now() - readAt < FRESH_MS) return
    reading ??= refresh()
    await reading
  })
}
