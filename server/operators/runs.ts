import { enqueueRunIn, queueMessageFor } from '../agent/queue/send'
import { inTransaction, runIn, runStatement } from '../db'
import { AppError } from '../errors'
import { isUuid } from '../kit/id'
import { statement } from '../kit/statement'
import { findRun } from './list-runs'
import { type Operator, recordAct } from './operator'
import type { CancelRunRequest } from './shape'
import type { RunRow } from './views'

/** Seconds that a step in progress may take: a run that shows nothing for longer is stuck. */
const LONGEST_STEP_S = 330

/** The run of a job's id, or its own. Throws `not_found`. */
export async function getRun(id: string): Promise<RunRow> {
  const run = isUuid(id) ? await findRun(id) : null
  if (!run) throw new AppError('not_found', 'There is no such run.')
  return run
}

const CANCEL_FOR = statement({
  name: 'agent_cancel_for',
  sql: 'SELECT agent_cancel_for($1::uuid, $2::uuid, $3) AS done',
  params: ['uuid', 'uuid', 'text'],
  columns: { done: 'boolean' },
})

/**
 * Cancels the run of any owner with a reason, which becomes its result. A call in progress ends
 * normally and is charged. Throws `not_found`, and `conflict` when it has ended.
 */
export async function cancelRun(operator: Operator, { jobId, reason }: CancelRunRequest): Promise<RunRow> {
  const run = await getRun(jobId)
  const { ownerId, jobId: subject } = run
  const isDone = await inTransaction(async (tx) => {
    const [row] = await runIn(tx, CANCEL_FOR, [subject, run.runId, `Cancelled by the operator: ${reason}`])
    if (row?.done) await recordAct(tx, operator, { ownerId, action: 'run_cancelled', subject, detail: { reason } })
    return row?.done
  })
  if (!isDone) throw new AppError('conflict', `The run has ended: it is ${(await getRun(jobId)).status}.`)
  return getRun(jobId)
}

/** Why a run in each status cannot be sent to a worker again. */
const NOT_RETRIED: Record<Exclude<RunRow['status'], 'running'>, string> = {
  awaiting_input: 'The run waits for an answer of its owner.',
  completed: 'The run has completed.',
  cancelled: 'The run was cancelled. Its owner can continue the conversation with another turn.',
  failed: 'A failed run has ended. Its owner can continue the conversation with another turn.',
}

const CLAIM_STATE = statement({
  name: 'operators_claim_state',
  sql: `SELECT coalesce(h.lease_until > now(), false) AS "isClaimed",
      j.updated_at < now() - make_interval(secs => ${LONGEST_STEP_S}) AS "isSlow"
    FROM job j LEFT JOIN holder h ON h.id = j.holder_id WHERE j.id = $1`,
  params: ['uuid'],
  columns: { isClaimed: 'boolean', isSlow: 'boolean' },
})

/**
 * Sends a run to the workers again, when its message was lost or its step takes longer than any
 * may. Another worker then claims it: what the one before had reserved is released, and nothing
 * that it does is written or charged. Throws `not_found`, and `conflict` for a run that is in
 * progress, waits in the queue or has ended.
 */
export async function retryRun(operator: Operator, jobId: string): Promise<RunRow> {
  const run = await getRun(jobId)
  if (run.status !== 'running') throw new AppError('conflict', NOT_RETRIED[run.status])
  const [claim] = await runStatement(CLAIM_STATE, [run.jobId])
  if (claim?.isClaimed && !claim.isSlow)
    throw new AppError(
      'conflict',
      'The run is in progress: a process has it, and its step takes no longer than one may.',
    )
  const ref = { jobId: run.jobId, runId: run.runId }
  const message = await queueMessageFor(ref)
  await inTransaction(async (tx) => {
    if (!(await enqueueRunIn(tx, ref, { message, onlyIfLost: !claim?.isClaimed })))
      throw new AppError(
        'conflict',
        'The run waits in the queue, or has just ended. A worker takes it when one is free.',
      )
    await recordAct(tx, operator, { ownerId: run.ownerId, action: 'run_retried', subject: run.jobId })
  })
  return getRun(jobId)
}
