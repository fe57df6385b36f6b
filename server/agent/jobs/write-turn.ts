import { runStatement } from '../../db'
import { AppError } from '../../errors'
import type { CallerGrants } from '../../keys/grants'
import { isUuid } from '../../kit/id'
import { sanitizeJsonForPostgres } from '../../kit/sanitize-for-postgres'
import { type RowOf, statement } from '../../kit/statement'
import { queueMessageFor } from '../queue/send'
import type { StartRequest } from '../shape'
import { jobNotFound } from './read-job'

/** Credits that must be free for a run to begin. */
export const MIN_CREDITS_TO_START = 100n
const TITLE = 80

/** Whoever starts a run: the key it runs under, and what that may. */
export type RunStarter = { ownerId: number; keyId: number; grants: CallerGrants }

/** A turn as its start is answered. */
export type TurnRecord = {
  runId: string
  jobId: string
  mode: string
  model: string
  capabilities: string[]
  capCredits: bigint
}

type NewTurn = { starter: RunStarter; request: StartRequest; turn: TurnRecord & { agent: string } }

const START = statement({
  name: 'agent_start',
  sql: 'SELECT outcome, credits, limit_source AS limit FROM agent_start($1, $2, $3, $4, $5)',
  params: ['jsonb', 'boolean', 'bigint', 'text', 'text'],
  columns: {
    outcome: ['started', 'missing', 'live', 'spent', 'short'],
    credits: 'bigint?',
    limit: ['balance', 'key_budget', null],
  },
  isPrepared: true,
})

/** Writes a turn, and its job where it is the first one. Throws what refuses it, also a faster request like it. */
export async function writeTurn({ starter, request, turn }: NewTurn): Promise<null> {
  const { ownerId, keyId, grants } = starter
  const cap = grants.agentRunBudgetCredits
  const isNew = request.conversationId === undefined
  if (!isUuid(turn.jobId)) throw jobNotFound()
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
    cap_credits: cap.toString(),
    history_turn_limit: request.historyTurnLimit ?? null,
  })
  const rows = runStatement(START, [fields, isNew, MIN_CREDITS_TO_START, sql, payload])
  const [row] = await rows.catch((error: unknown) => {
    throw isTaken(error) ? new AppError('conflict', 'This idempotencyKey is just being used.') : error
  })
  return read(row, cap)
}

const UNIQUE_VIOLATION = '23505'
const isTaken = (error: unknown) => (error as { code?: unknown }).code === UNIQUE_VIOLATION

function read(row: RowOf<typeof START> | undefined, cap: bigint): null {
  const credits = Number(row?.credits ?? 0)
  switch (row?.outcome) {
    case 'started':
      return null
    case 'live':
      throw new AppError('conflict', 'A run of this conversation is live: wait for it, answer it or cancel it.')
    case 'spent':
      throw new AppError('insufficient_credits', 'This conversation has spent its ceiling. Start a new one.', {
        detail: { limitSource: 'conversation', creditsSpent: credits, ceilingCredits: Number(cap) },
      })
    case 'short': {
      const message = `A run needs ${MIN_CREDITS_TO_START} free credits to start; ${Math.max(credits, 0)} are left.`
      throw new AppError('insufficient_credits', message, { detail: { limitSource: row.limit } })
    }
    default:
      throw jobNotFound()
  }
}

/** The first line of a goal, as far as a list shows it. */
export function jobTitle(goal: string): string {
  const line = goal.trim().split(/\r?\n/, 1)[0] ?? ''
  return line.length > TITLE
    ? `${line
        .slice(0, TITLE - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line
}
