import type pg from 'pg'
import { inTransaction } from '../db'
import { AppError, invalidRequest } from '../errors'
import type { Grants } from '../keys/grants'
import { storableJson, storableText } from '../kit/storable'
import { ASK_USER, PRESENT_PLAN } from './builtins'
import { needCover } from './cover'
import { type LockedJob, lockOwnJob } from './job-row'
import { enqueue } from './queue'
import type { AnsweredJob, AnswerRequest, StepKind } from './shape'
import { canAnswer } from './states'

/** Whoever answers or cancels: `grants` and `keyId` null is the owner at the dashboard. */
export type Person = { ownerId: number; keyId: number | null; grants: Grants | null }

/**
 * Answers a paused job, and sends its run to the workers again, in one transaction: of two answers one wins.
 * Throws `not_found`, `forbidden` for a key that does not cover the run, `conflict` when nothing is asked or something
 * else is, and `invalid_request` for an empty answer to a question.
 */
export async function answerJob(person: Person, jobId: string, answer: AnswerRequest): Promise<AnsweredJob> {
  return inTransaction(async (db) => {
    const job = await lockOwnJob(db, person.ownerId, jobId)
    await needCover(db, job, person.grants)
    const { awaiting } = job
    if (!canAnswer(job.status) || !awaiting) throw new AppError('conflict', notAsked(job))
    if (answer.toolCallId !== undefined && answer.toolCallId !== awaiting.toolCallId) {
      throw new AppError('conflict', `The job waits for an answer to ${awaiting.toolCallId}, not to this call.`)
    }
    const feedback = storableText(answer.feedback?.trim() ?? '')
    if (awaiting.kind === 'question' && feedback === '') {
      throw invalidRequest([{ path: ['feedback'], message: 'must hold the answer to the question' }])
    }
    await db.query('INSERT INTO answer (job_id, index, approved, feedback, key_id) VALUES ($1, $2, $3, $4, $5)', [
      job.id,
      awaiting.index,
      answer.approved,
      feedback || null,
      person.keyId,
    ])
    await writeAnswer(db, { ...job, awaiting }, { approved: answer.approved, feedback })
    await db.query(
      `UPDATE job SET status = 'running', awaiting = NULL, tries = 0, updated_at = clock_timestamp() WHERE id = $1`,
      [job.id],
    )
    await enqueue(db, { jobId: job.id, runId: job.runId })
    const ignored = awaiting.kind === 'approval' && answer.approved
    return {
      jobId: job.id,
      runId: job.runId,
      status: 'running' as const,
      ...(ignored && { feedbackIgnored: true as const }),
    }
  })
}

const notAsked = ({ status }: LockedJob) =>
  status === 'running' ? 'The job is at work and asks nothing.' : `The job is ${status} and takes no answer.`

type Asked = LockedJob & { awaiting: NonNullable<LockedJob['awaiting']> }

/** An answer that runs nothing is its call's step; an approved call gets its step when it has run. */
async function writeAnswer(
  db: pg.PoolClient,
  { id, runId, awaiting }: Asked,
  { approved, feedback }: { approved: boolean; feedback: string },
): Promise<void> {
  const { kind, index, question, plan, approval } = awaiting
  if (kind === 'approval' && approved) return
  const write = (step: { kind: StepKind; name: string; input: unknown; output?: unknown; error?: unknown }) =>
    db.query(
      `INSERT INTO step (job_id, index, run_id, kind, name, input, output, error, started_at, ended_at)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, clock_timestamp(), clock_timestamp())`,
      [
        id,
        index,
        runId,
        step.kind,
        step.name,
        storableJson(step.input),
        step.output === undefined ? null : storableJson(step.output),
        step.error === undefined ? null : storableJson(step.error),
      ],
    )
  switch (kind) {
    case 'question':
      await write({ kind: 'question', name: ASK_USER, input: { question }, output: { answer: feedback } })
      return
    case 'plan':
      await write({
        kind: 'plan',
        name: PRESENT_PLAN,
        input: { plan },
        output: { approved, ...(feedback && { feedback }) },
      })
      return
    case 'approval': {
      const message = feedback ? `The person rejected this: ${feedback}` : 'The person rejected this.'
      await write({ kind: 'tool', name: awaiting.tool, input: approval, error: { code: 'rejected', message } })
      return
    }
    default:
      kind satisfies never
  }
}
