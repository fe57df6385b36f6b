import { executeStatement, runStatement } from '../../db'
import { type RowOf, statement } from '../../kit/statement'

/** Seconds beyond the receiver's time that a process has for saying how an attempt went. */
const CLAIM_SLACK_S = 30

/**
 * Claims the delivery of an owner that has been due for longest, unless its host is one of `$2`.
 * It counts as an attempt from here on, so what dies with its process is bounded too.
 */
const CLAIM = statement({
  name: 'webhook_claim',
  sql: `UPDATE webhook_delivery d SET attempts = d.attempts + 1, round_attempts = 1 + d.round_attempts, attempted_at = clock_timestamp(),
      claimed_until = clock_timestamp() + make_interval(secs => $3), due_at = clock_timestamp() + make_interval(secs => $3)
    FROM turn t
    WHERE t.run_id = d.run_id AND d.id = (
      SELECT n.id FROM webhook_delivery n
      WHERE n.owner_id = $1 AND n.status = 'pending' AND n.due_at <= clock_timestamp() AND n.host <> ALL($2)
      ORDER BY n.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING d.id, d.job_id AS "jobId", d.run_id AS "runId", d.owner_id AS "ownerId", d.url, d.host, d.event, d.awaiting,
      d.spent, d.attempts, d.round_attempts AS "roundAttempts", d.created_at AS "createdAt", t.result, t.traceparent,
      t.metadata, t.schedule_id AS "scheduleId"`,
  params: ['int', 'text[]', 'float8'],
  columns: {
    id: 'uuid',
    jobId: 'uuid',
    runId: 'uuid',
    ownerId: 'int',
    url: 'text',
    host: 'text',
    event: ['completed', 'failed', 'awaiting_input'],
    awaiting: 'jsonb?',
    spent: 'bigint',
    attempts: 'int',
    roundAttempts: 'int',
    createdAt: 'timestamptz',
    result: 'text?',
    traceparent: 'text?',
    metadata: 'jsonb?',
    scheduleId: 'uuid?',
  },
})

/** A delivery that this process is to send now. */
export type ClaimedDelivery = RowOf<typeof CLAIM>

/** Null when the owner has none that is due, but for those to `busyHosts`. */
export async function claimDelivery(
  ownerId: number,
  busyHosts: readonly string[],
  timeoutMs: number,
): Promise<ClaimedDelivery | null> {
  const seconds = timeoutMs / 1_000 + CLAIM_SLACK_S
  const [row] = await runStatement(CLAIM, [ownerId, busyHosts, seconds], { repeatable: false })
  return row ?? null
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
const RECORD = statement({
  name: 'webhook_record',
  sql: `UPDATE webhook_delivery SET status = $3, due_at = clock_timestamp() + make_interval(secs => $4), claimed_until = NULL,
      answer_status = $5, answer_body = $6, error = $7,
      delivered_at = CASE WHEN $3 = 'delivered' THEN clock_timestamp() ELSE delivered_at END
    WHERE id = $1 AND attempts = $2`,
  params: ['uuid', 'int', 'text', 'float8', 'int', 'text', 'text'],
})

export async function recordAttempt({ id, attempts }: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
  const { status, retryInS, answerStatus, answerBody, error } = outcome
  await executeStatement(RECORD, [id, attempts, status, retryInS, answerStatus, answerBody, error])
}
