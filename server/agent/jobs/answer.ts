import { runStatement } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import type { CallerGrants } from '../../keys/grants'
import { sanitizeJsonForPostgres, sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import { statement } from '../../kit/statement'
import { queueMessageFor } from '../queue/send'
import { ASK_USER, PRESENT_PLAN } from '../run/builtin-tools'
import type { AnsweredJob, AnswerRequest, StepKind } from '../shape'
import { checkJobGrants } from './check-grants'
import type { Pause } from './pause'
import { type JobState, withCurrentJob } from './read-job'
import { canAnswer } from './states'

/** Whoever answers or cancels: `grants` and `keyId` null is the owner at the dashboard. */
export type JobCaller = { ownerId: number; keyId: number | null; grants: CallerGrants | null }

/**
 * Answers a paused job, and sends its run to the workers again, in one statement: of two answers one wins.
 * Throws `not_found`, `forbidden` for a key that does not cover the run, `conflict` when nothing is asked or something
 * else is, and `invalid_request` for an empty answer to a question.
 */
export async function answerJob(person: JobCaller, jobId: string, answer: AnswerRequest): Promise<AnsweredJob> {
  const feedback = sanitizeTextForPostgres(answer.feedback?.trim() ?? '')
  return withCurrentJob({ ownerId: person.ownerId, jobId }, async (job) => {
    checkJobGrants(job, person.grants)
    const awaiting = askedOf(job, answer, feedback)
    const { approved } = answer
    const written = await write(job, {
      answer: { index: awaiting.index, approved, feedback: feedback || null, keyId: person.keyId },
      step: stepOf(awaiting, { approved, feedback }),
    })
    if (!written) return null
    const ignored = awaiting.kind === 'approval' && approved
    return {
      jobId: job.id,
      runId: job.runId,
      status: 'running' as const,
      ...(ignored && { feedbackIgnored: true as const }),
    }
  })
}

/** What a job asks, if this may be the answer to it. */
function askedOf(job: JobState, { toolCallId }: AnswerRequest, feedback: string): Pause {
  const { awaiting } = job
  if (!canAnswer(job.status) || !awaiting) throw new AppError('conflict', notAsked(job))
  if (toolCallId !== undefined && toolCallId !== awaiting.toolCallId) {
    throw new AppError('conflict', `The job waits for an answer to ${awaiting.toolCallId}, not to this call.`)
  }
  if (awaiting.kind === 'question' && feedback === '') {
    throw invalidRequest([{ path: ['feedback'], message: 'must hold the answer to the question' }])
  }
  return awaiting
}

const notAsked = ({ status }: JobState) =>
  status === 'running' ? 'The job is at work and asks nothing.' : `The job is ${status} and takes no answer.`

type Written = {
  answer: { index: number; approved: boolean; feedback: string | null; keyId: number | null }
  step: AnswerStep | null
}

const ANSWER = statement({
  name: 'agent_answer',
  sql: 'SELECT agent_answer($1, $2, $3, $4, $5, $6) AS done',
  params: ['uuid', 'uuid', 'jsonb', 'jsonb', 'text', 'text'],
  columns: { done: 'boolean' },
  isPrepared: true,
})

async function write(job: JobState, { answer, step }: Written): Promise<boolean> {
  const { sql, payload } = await queueMessageFor({ jobId: job.id, runId: job.runId })
  const [row] = await runStatement(ANSWER, [
    job.id,
    job.runId,
    sanitizeJsonForPostgres(answer),
    step && sanitizeJsonForPostgres(step),
    sql,
    payload,
  ])
  return row?.done ?? false
}

type AnswerStep = { kind: StepKind; name: string; input: unknown; output?: unknown; error?: unknown }

/** An answer that runs nothing is its call's step; an approved call gets its step when it has run. */
function stepOf(
  { kind, tool, question, plan, approval }: Pause,
  { approved, feedback }: { approved: boolean; feedback: string },
): AnswerStep | null {
  switch (kind) {
    case 'question':
      return { kind: 'question', name: ASK_USER, input: { question }, output: { answer: feedback } }
    case 'plan': {
      const output = { approved, ...(feedback && { feedback }) }
      return { kind: 'plan', name: PRESENT_PLAN, input: { plan }, output }
    }
    case 'approval': {
      if (approved) return null
      const message = feedback ? `The person rejected this: ${feedback}` : 'The person rejected this.'
      return { kind: 'tool', name: tool, input: approval, error: { code: 'rejected', message } }
    }
    default:
      return kind satisfies never
  }
}
