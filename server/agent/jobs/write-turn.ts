import { readBudgetStates } from '../../credits/budgets/states'
import { readLimits } from '../../credits/read-limits'
import { WHERE_SHORT } from '../../credits/reserve'
import { runStatement } from '../../db'
import { AppError } from '../../errors'
import type { CallerGrants } from '../../keys/grants'
import { isUuid } from '../../kit/id'
import { sanitizeJsonForPostgres } from '../../kit/sanitize-for-postgres'
import { type RowOf, statement } from '../../kit/statement'
import { activeTraceparent } from '../../kit/tracing/tracer'
import { untested } from '../checks/stored'
import { queueMessageFor } from '../queue/send'
import type { RunOrigin, StartRequest } from '../shape'
import type { StoredAttachment } from './attachments'
import { jobNotFound } from './read-job'

/** Credits that must be free for a run to begin. */
export const MIN_CREDITS_TO_START = 100n
const MAX_TITLE_CHARS = 80

/** Who starts a run: the key it runs under, with its grants, and the customer whom it names. */
export type RunStarter = { ownerId: number; keyId: number; grants: CallerGrants; customerId?: number }

/** A turn as the answer to its start shows it. */
export type TurnRecord = {
  runId: string
  jobId: string
  mode: string
  model: string
  capabilities: string[]
  capCredits: bigint
}

/** How a run comes to be started; `by`: the member who starts it at the dashboard. */
export type StartOrigin = {
  origin: RunOrigin
  scheduleId?: string
  by?: { personId: number; email: string }
  /** The job that it takes over, from which of its turns on, and before which step. */
  rerun?: { of: string; turn: number; fromStep: number | null; agent: string }
}

type NewTurn = {
  starter: RunStarter
  request: StartRequest
  turn: TurnRecord & {
    agent: string
    customerId: number | null
    /** Whether the owner has such a conversation. */
    isFollowUp: boolean
    callbackUrl: string | null
    attachments: StoredAttachment[]
    /** The model that summarizes its history; null: its own. */
    summaryModel: string | null
  } & StartOrigin
}

const START = statement({
  name: 'agent_start',
  sql: 'SELECT outcome, credits, limit_source AS limit FROM agent_start($1, $2, $3, $4, $5)',
  params: ['jsonb', 'boolean', 'bigint', 'text', 'text'],
  columns: {
    outcome: ['started', 'missing', 'live', 'spent', 'short'],
    credits: 'bigint?',
    limit: ['balance', 'key_budget', 'key_period', 'account_day', null],
  },
  isPrepared: true,
})

/**
 * Writes a turn, and the job for a first turn. Throws where the run cannot start, also for a
 * concurrent request with the same idempotency key.
 */
export async function writeTurn({ starter, request, turn }: NewTurn): Promise<null> {
  const { ownerId, keyId, grants } = starter
  const spendLimit = grants.agentRunBudgetCredits
  const isNew = request.conversationId === undefined
  if (!isUuid(turn.jobId)) throw jobNotFound()
  if (isNew || turn.isFollowUp) await requireBudgets(starter, turn)
  const { sql, payload } = await queueMessageFor({ jobId: turn.jobId, runId: turn.runId })
  const fields = sanitizeJsonForPostgres({
    run_id: turn.runId,
    job_id: turn.jobId,
    owner_id: ownerId,
    key_id: keyId,
    title: jobTitle(request.goal),
    idempotency_key: request.idempotencyKey,
    goal: request.goal,
    mode: turn.mode,
    model: turn.model,
    agent: turn.agent,
    capabilities: turn.capabilities,
    cap_credits: spendLimit.toString(),
    history_turn_limit: request.historyTurnLimit ?? null,
    callback_url: turn.callbackUrl,
    output_schema: request.outputSchema ?? null,
    origin: turn.origin,
    schedule_id: turn.scheduleId ?? null,
    actor: turn.by?.email ?? null,
    person_id: turn.by?.personId ?? null,
    customer_id: turn.customerId,
    max_credits: request.maxCredits ?? null,
    metadata: request.metadata ?? null,
    permissions: request.permissions ?? null,
    memory: request.memory ?? null,
    checks: request.checks ? untested(request.checks) : null,
    attachments: turn.attachments.length > 0 ? turn.attachments : null,
    summary_model: turn.summaryModel,
    traceparent: activeTraceparent() ?? null,
    rerun_of: turn.rerun?.of ?? null,
    rerun_turn: turn.rerun?.turn ?? null,
    from_step: turn.rerun?.fromStep ?? null,
  })
  const rows = runStatement(START, [fields, isNew, MIN_CREDITS_TO_START, sql, payload])
  const [row] = await rows.catch((error: unknown) => {
    throw isDuplicate(error)
      ? new AppError('conflict', 'A request with this idempotencyKey is in progress. Send it again.', {
          reason: 'in_progress',
        })
      : error
  })
  if (row?.outcome !== 'spent' && row?.outcome !== 'short') return checkStarted(row, spendLimit)
  const limits = await readLimits({ ownerId, keyId, jobId: turn.jobId })
  return checkStarted(row, spendLimit, limits)
}

const UNIQUE_VIOLATION = '23505'
const isDuplicate = (error: unknown) => (error as { code?: unknown }).code === UNIQUE_VIOLATION

function checkStarted(
  row: RowOf<typeof START> | undefined,
  spendLimit: bigint,
  limits?: Awaited<ReturnType<typeof readLimits>>,
): null {
  const credits = Number(row?.credits ?? 0)
  switch (row?.outcome) {
    case 'started':
      return null
    case 'live':
      throw new AppError('conflict', 'A run of this conversation is live: wait for it, answer it or cancel it.', {
        reason: 'in_progress',
      })
    case 'spent':
      throw new AppError('insufficient_credits', 'This conversation has reached its spend limit. Start a new one.', {
        detail: {
          limitSource: 'conversation',
          limit: limits?.get('conversation'),
          creditsSpent: credits,
          ceilingCredits: Number(spendLimit),
        },
      })
    case 'short': {
      const left = `${WHERE_SHORT[row.limit ?? 'balance']} ${Math.max(credits, 0)}`
      const message = `A run needs ${MIN_CREDITS_TO_START} free credits to start; ${left}.`
      throw new AppError('insufficient_credits', message, {
        detail: { limitSource: row.limit, limit: limits?.get(row.limit ?? 'balance') },
      })
    }
    default:
      throw jobNotFound()
  }
}

/** Throws `insufficient_credits` where a budget that the model counts against leaves too little. */
async function requireBudgets(
  { ownerId, keyId }: RunStarter,
  { model, customerId, by }: NewTurn['turn'],
): Promise<void> {
  const call = {
    ...{ ownerId, keyId, personId: by?.personId, product: 'agent' as const, what: model },
    ...(customerId !== null && { customerId }),
  }
  const [least] = (await readBudgetStates(call)).sort((a, b) => a.cap - a.spent - (b.cap - b.spent))
  const left = least ? Math.max(0, least.cap - least.spent) : null
  if (left === null || left >= MIN_CREDITS_TO_START) return
  const message = `A run needs ${MIN_CREDITS_TO_START} free credits to start; the budget "${least?.name}" leaves ${left}.`
  throw new AppError('insufficient_credits', message, { detail: { limitSource: 'budget', limit: least } })
}

/** The first line of a goal, truncated. */
export function jobTitle(goal: string): string {
  const line = goal.trim().split(/\r?\n/, 1)[0] ?? ''
  return line.length > MAX_TITLE_CHARS
    ? `${line
        .slice(0, MAX_TITLE_CHARS - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line
}
