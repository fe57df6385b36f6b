import { runStatement } from '../../db'
import { AppError, type ErrorCode } from '../../errors'
import { readCallerGrants } from '../../keys/grants'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { nextTime } from './cron'
import { endScheduleRun } from './end-run'
import { findKeyFault } from './key'
import { startDueRun } from './start-run'

/** A start whose outcome is not known is attempted again after this long, and so often. */
const RETRY_S = 30
const MAX_ATTEMPTS = 20

const SKIPPED = 'The run before it was still in progress.'

const DUE = statement({
  name: 'schedule_due',
  sql: `SELECT id, cron, time_zone AS "timeZone", coalesce(next_at, now()) AS "dueAt", now() AS now FROM schedule
    WHERE next_at <= now() ORDER BY next_at LIMIT 100`,
  params: [],
  columns: { id: 'uuid', cron: 'text', timeZone: 'text', dueAt: 'timestamptz', now: 'timestamptz' },
})

const BEGIN_RUN = statement({
  name: 'schedule_begin_run',
  sql: 'SELECT schedule_begin_run($1, $2, $3, $4) AS outcome',
  params: ['uuid', 'timestamptz', 'timestamptz', 'text'],
  columns: { outcome: ['starting', 'skipped', 'changed'] },
})

/**
 * Records the schedules that are due, each once however many processes do this. The next time is
 * after now: what was missed while no worker ran is one run.
 */
async function beginDueRuns(): Promise<void> {
  for (const { id, dueAt, now, ...timing } of await runStatement(DUE, []))
    await runStatement(BEGIN_RUN, [id, dueAt, nextTime(timing, now), SKIPPED])
}

const CLAIM = statement({
  name: 'schedule_claim_runs',
  sql: `UPDATE schedule_run r SET attempts = r.attempts + 1, attempt_at = now() FROM schedule s
    WHERE s.id = r.schedule_id AND (r.schedule_id, r.due_at) IN (
      SELECT schedule_id, due_at FROM schedule_run
      WHERE state = 'starting' AND NOT is_queued AND (attempt_at IS NULL OR attempt_at < now() - make_interval(secs => ${RETRY_S}))
      ORDER BY due_at LIMIT 10 FOR UPDATE SKIP LOCKED)
    RETURNING r.schedule_id AS "scheduleId", r.due_at AS "dueAt", r.attempts, s.owner_id AS "ownerId",
      s.key_id AS "keyId", s.request, s.attachments`,
  params: [],
  columns: {
    scheduleId: 'uuid',
    dueAt: 'timestamptz',
    attempts: 'int',
    ownerId: 'int',
    keyId: 'int',
    request: 'jsonb',
    attachments: 'jsonb?',
  },
})

/** What a start is refused with for good; anything else is attempted again. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'unknown_model',
  'insufficient_credits',
  'forbidden',
  'not_found',
])

/** Starts the runs that wait for it. Returns how many it claimed. */
async function startWaitingRuns(): Promise<number> {
  const claimed = await runStatement(CLAIM, [], { repeatable: false })
  for (const { ownerId, keyId, attempts, ...run } of claimed) {
    const refuse = (reason: string, isKey = false) => endScheduleRun({ ...run, state: 'refused', reason, isKey })
    try {
      const fault = await findKeyFault({ ownerId, keyId })
      if (fault) await refuse(fault, true)
      else await startDueRun({ ownerId, keyId, grants: await readCallerGrants(keyId) }, run)
    } catch (error) {
      const isRefusal = error instanceof AppError && REFUSALS.has(error.code)
      if (!isRefusal) log.warn({ schedule: run.scheduleId, err: (error as Error).message }, 'a scheduled run must wait')
      if (isRefusal) await refuse(error.message)
      else if (attempts >= MAX_ATTEMPTS) await refuse('The service could not start it.')
    }
  }
  return claimed.length
}

/** Starts every run that is due, and whose start another process did not finish. */
export async function startDueRuns(): Promise<void> {
  await beginDueRuns()
  while ((await startWaitingRuns()) > 0);
}
