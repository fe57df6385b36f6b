import { runStatement } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import type { CallerGrants } from '../../keys/grants'
import { sanitizeJsonForPostgres, sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import { statement } from '../../kit/statement'
import { queueMessageFor } from '../queue/send'
import { ASK_USER, PRESENT_PLAN } from '../run/builtin-tools'
import type { AnsweredJob, AnswerRequest, Permission, StepKind } from '../shape'
import { callInput } from './call-input'
import { checkJobGrants } from './check-grants'
import { editedInput } from './edit-call'
import type { Pause } from './pause'
import { type JobState, withCurrentJob } from './read-job'
import { canAnswer } from './states'

/**
 * Who answers or cancels a job. `grants` and `keyId` are null for a member at the dashboard; `by`:
 * their e-mail address, or who answers where nobody does.
 */
export type JobCaller = { ownerId: number; keyId: number | null; grants: CallerGrants | null; by?: string }

/**
 * Answers a paused job and sends its run to the workers, in one statement: of two answers one wins.
 * Throws `not_found`, `forbidden` for a key whose grants do not cover the run, `conflict` when the
 * job asks nothing or something else, and `invalid_request` for an empty answer to a question.
 */
export async function answerJob(caller: JobCaller, jobId: string, answer: AnswerRequest): Promise<AnsweredJob> {
  const feedback = sanitizeTextForPostgres(answer.feedback?.trim() ?? '')
  return withCurrentJob({ ownerId: caller.ownerId, jobId }, async (job) => {
    checkJobGrants(job, caller.grants)
    const awaiting = checkedPause(job, answer, feedback)
    const { approved } = answer
    const input = await editedInput(job, awaiting, answer)
    const written = await writeAnswer(job, {
      answer: {
        ...{ index: awaiting.index, approved, feedback: feedback || null, keyId: caller.keyId, by: caller.by ?? null },
        scope: approved && awaiting.kind === 'approval' ? (answer.scope ?? null) : null,
        asked: awaiting.approval?.permissions ?? null,
        input,
      },
      step: answerStep(awaiting, { approved, feedback, input: await inputOfPause(job, awaiting) }),
    })
    if (!written) return null
    const ignored = awaiting.kind === 'approval' && approved && feedback !== ''
    return {
      jobId: job.id,
      runId: job.runId,
      status: 'running' as const,
      ...(ignored && { feedbackIgnored: true as const }),
    }
  })
}

/** What the job asks. Throws where this cannot be the answer. */
function checkedPause(job: JobState, { toolCallId }: AnswerRequest, feedback: string): Pause {
  const { awaiting } = job
  if (!canAnswer(job.status) || !awaiting) throw new AppError('conflict', noQuestionText(job))
  if (toolCallId !== undefined && toolCallId !== awaiting.toolCallId) {
    throw new AppError('conflict', `The job waits for an answer to ${awaiting.toolCallId}, not to this call.`)
  }
  if (awaiting.kind === 'question' && feedback === '') {
    throw invalidRequest([{ path: ['feedback'], message: 'must be the answer to the question' }])
  }
  return awaiting
}

const noQuestionText = ({ status }: JobState) =>
  status === 'running' ? 'The job is running and asks nothing.' : `The job is ${status} and takes no answer.`

type Written = {
  answer: {
    index: number
    approved: boolean
    feedback: string | null
    keyId: number | null
    by: string | null
    scope: AnswerRequest['scope'] | null
    asked: readonly Permission[] | null
    input: Record<string, unknown> | null
  }
  step: AnswerStep | null
}

const ANSWER = statement({
  name: 'agent_answer',
  sql: 'SELECT agent_answer($1, $2, $3, $4, $5, $6) AS done',
  params: ['uuid', 'uuid', 'jsonb', 'jsonb', 'text', 'text'],
  columns: { done: 'boolean' },
  isPrepared: true,
})

async function writeAnswer(job: JobState, { answer, step }: Written): Promise<boolean> {
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

/** The input of a call that waits for approval; null for other questions. */
const inputOfPause = async ({ id }: JobState, { kind, index }: Pause): Promise<unknown> =>
  kind === 'approval' ? callInput(id, index) : null

type AnswerStep = { kind: StepKind; name: string; input: unknown; output?: unknown; error?: unknown }

/**
 * The step that an answer becomes; null for an approved call, which becomes a step when it has run.
 */
function answerStep(
  { kind, tool, question, plan, planDetails, price, approval }: Pause,
  { approved, feedback, input }: { approved: boolean; feedback: string; input: unknown },
): AnswerStep | null {
  switch (kind) {
    case 'question':
      return { kind: 'question', name: ASK_USER, input: { question }, output: { answer: feedback } }
    case 'plan': {
      const output = { approved, ...(feedback && { feedback }) }
      return {
        kind: 'plan',
        name: PRESENT_PLAN,
        input: { plan, ...(planDetails && { planDetails }), ...(price && { price }) },
        output,
      }
    }
    case 'approval': {
      if (approved) return null
      const message = feedback ? `The person rejected this: ${feedback}` : 'The person rejected this.'
      return { kind: 'tool', name: tool, input: input ?? approval, error: { code: 'rejected', message } }
    }
    default:
      return kind satisfies never
  }
}
