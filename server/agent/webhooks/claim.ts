import { executeStatement, runStatement } from '../../db'
import { type RowOf, statement } from '../../kit/statement'

/** Seconds beyond the receiver's time that a process has for saying how an attempt went. */
const CLAIM_SLACK_S = 30

/** Where deliveries are: those of runs, and those of tasks, which have the same columns for it. */
type Table = 'webhook_delivery' | 'task_delivery'

/**
 * Claims the delivery of an owner that has been due for longest, unless its host is one of `$2`.
 * It counts as an attempt from here on, so what dies with its process is bounded too.
 */
const claimIn = (table: Table, join: { from: string; on: string }) =>
  `UPDATE ${table} d SET attempts = d.attempts + 1, round_attempts = 1 + d.round_attempts, attempted_at = clock_timestamp(),
      claimed_until = clock_timestamp() + make_interval(secs => $3), due_at = clock_timestamp() + make_interval(secs => $3)
    ${join.from}
    WHERE ${join.on} d.id = (
      SELECT n.id FROM ${table} n
      WHERE n.owner_id = $1 AND n.status = 'pending' AND n.due_at <= clock_timestamp() AND n.host <> ALL($2)
      ORDER BY n.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING d.id, d.owner_id AS "ownerId", d.url, d.host, d.attempts, d.round_attempts AS "roundAttempts", d.created_at AS "createdAt"`

const CLAIMED = {
  id: 'uuid',
  ownerId: 'int',
  url: 'text',
  host: 'text',
  attempts: 'int',
  roundAttempts: 'int',
  createdAt: 'timestamptz',
} as const

const CLAIM_RUN = statement({
  name: 'webhook_claim',
  sql: `${claimIn('webhook_delivery', { from: 'FROM turn t', on: 't.run_id = d.run_id AND' })},
      d.job_id AS "jobId", d.run_id AS "runId", d.event, d.awaiting, d.spent, t.result, t.traceparent,
      t.output, t.checks, t.output_schema IS NOT NULL AS "isStructured",
      t.metadata, t.schedule_id AS "scheduleId"`,
  params: ['int', 'text[]', 'float8'],
  columns: {
    ...CLAIMED,
    jobId: 'uuid',
    runId: 'uuid',
    event: ['completed', 'failed', 'awaiting_input'],
    awaiting: 'jsonb?',
    spent: 'bigint',
    result: 'text?',
    output: 'jsonb?',
    checks: 'jsonb?',
    isStructured: 'boolean?',
    traceparent: 'text?',
    metadata: 'jsonb?',
    scheduleId: 'uuid?',
  },
})

const CLAIM_TASK = statement({
  name: 'webhook_claim_task',
  sql: `${claimIn('task_delivery', { from: '', on: '' })}, d.event, d.data`,
  params: ['int', 'text[]', 'float8'],
  columns: { ...CLAIMED, event: 'text', data: 'jsonb' },
})

/** A delivery of a run that this process is to send now. */
export type RunDelivery = RowOf<typeof CLAIM_RUN>

/** A delivery that this process is to send now. */
export type ClaimedDelivery = ({ of: 'run' } & RunDelivery) | ({ of: 'task' } & RowOf<typeof CLAIM_TASK>)

/**
 * Null when the owner has none that is due, but for those to `busyHosts`. Those of tasks go first:
 * somebody waits for each.
 */
export async function claimDelivery(
  ownerId: number,
  busyHosts: readonly string[],
  timeoutMs: number,
): Promise<ClaimedDelivery | null> {
  const values = [ownerId, busyHosts, timeoutMs / 1_000 + CLAIM_SLACK_S] as const
  const [task] = await runStatement(CLAIM_TASK, values, { repeatable: false })
  if (task) return { of: 'task', ...task }
  const [run] = await runStatement(CLAIM_RUN, values, { repeatable: false })
  return run ? { of: 'run', ...run } : null
}

/** How an attempt went, and when the next one is due. */
export type AttemptOutcome = {
  status: 'delivered' | 'failed' | 'pending'
  retryInS: number
  answerStatus: number | null
  answerBody: string | null
  error: string | null
}

/** Does nothing when the claim ended and another process has begun an attempt since. */
const recordIn = (name: string, table: Table) =>
  statement({
    name,
    sql: `UPDATE ${table} SET status = $3, due_at = clock_timestamp() + make_interval(secs => $4), claimed_until = NULL,
      answer_status = $5, answer_body = $6, error = $7,
      delivered_at = CASE WHEN $3 = 'delivered' THEN clock_timestamp() ELSE delivered_at END
    WHERE id = $1 AND attempts = $2`,
    params: ['uuid', 'int', 'text', 'float8', 'int', 'text', 'text'],
  })

const RECORD = {
  run: recordIn('webhook_record', 'webhook_delivery'),
  task: recordIn('webhook_record_task', 'task_delivery'),
}

export async function recordAttempt({ of, id, attempts }: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
  const { status, retryInS, answerStatus, answerBody, error } = outcome
  await executeStatement(RECORD[of], [id, attempts, status, retryInS, answerStatus, answerBody, error])
}
