import type pg from 'pg'
import { agentSettings } from '../accounts/settings'
import { freeThrough, setLimit } from '../credits/limit'
import { inTransaction, prisma } from '../db'
import { AppError, invalidRequest, isAppError } from '../errors'
import { type Grants, needScope } from '../keys/grants'
import { uuidv7 } from '../kit/id'
import { chatModels, findModel } from '../models/registry'
import type { Model } from '../models/shape'
import { countTokens } from '../models/tokens'
import { CAPABILITIES, type Capability } from '../tools/define'
import { lockOwnJob } from './job-row'
import { enqueue } from './queue'
import { routeGoal } from './router'
import { Mode, type StartedJob, type StartRequest } from './shape'
import { canFollow } from './states'
import { toolsOf } from './toolbox'

/** Credits that must be free for a run to begin. */
export const LEAST_TO_START = 100n
const TITLE = 80
/** Part of a model's context that a goal may take. */
const GOAL_SHARE = 0.5

/** Whoever starts a run: the key it runs under, and what that may. */
export type Starter = { ownerId: number; keyId: number; grants: Grants }

export type Started = { job: StartedJob; replayed: boolean }

type Turn = {
  runId: string
  jobId: string
  mode: string
  model: string
  capabilities: string[]
  capCredits: bigint
}

/**
 * Starts a run: of a new conversation, or a further turn of an idle one. The job and the message that gets it going
 * are one transaction. The same idempotency key of the same owner answers the same run, whatever else is sent.
 * Throws `invalid_request`, `unknown_model`, `forbidden`, `not_found`, `conflict` while a run of the conversation is
 * live, and `insufficient_credits` when too little is free or the conversation has spent its ceiling.
 */
export async function startJob(starter: Starter, request: StartRequest): Promise<Started> {
  const { ownerId, grants } = starter
  const narrowed = readCapabilities(request)
  const model = await modelFor(ownerId, request)
  await checkGoal(request.goal, model)
  needScope(grants, 'agent')
  if (grants.allowedModels && !grants.allowedModels.has(model.id)) {
    throw new AppError(
      'forbidden',
      `This key may not use ${model.id}. It may use: ${[...grants.allowedModels].join(', ')}.`,
    )
  }
  const capabilities = confine(grants, narrowed)
  const known = await findTurn(ownerId, request.idempotencyKey)
  if (known) return { job: viewStart(known), replayed: true }
  const { disabledTools } = await agentSettings(ownerId)
  const turn = {
    runId: uuidv7(),
    jobId: request.conversationId ?? uuidv7(),
    mode: request.mode,
    model: model.id,
    capabilities: capabilities ?? [],
    capCredits: grants.agentRunBudgetCredits,
    agent: routeGoal(request.goal, toolsOf({ capabilities, disabledTools })).id,
  }
  const refused = await inTransaction((db) => writeTurn(db, { starter, request, turn })).catch((error: unknown) => {
    if (isAppError(error) && error.code !== 'unavailable') return error
    throw error
  })
  if (refused === null) return { job: viewStart(turn), replayed: false }
  // The same request may have been faster by another way, and be what stands in this one's way now.
  const first = await findTurn(ownerId, request.idempotencyKey)
  if (!first) throw refused
  return { job: viewStart(first), replayed: true }
}

function readCapabilities({ capabilities }: StartRequest): Capability[] | null {
  if (!capabilities) return null
  const unknown = capabilities.filter((name) => !CAPABILITIES.includes(name as Capability))
  if (unknown.length > 0) {
    const message = `There is no capability group "${unknown[0]}". There are: ${CAPABILITIES.join(', ')}.`
    throw invalidRequest([{ path: ['capabilities'], message }])
  }
  return [...new Set(capabilities as Capability[])]
}

/** The key's groups, or those of them that the request names. Throws `forbidden` for one the key lacks. */
function confine({ capabilities }: Grants, narrowed: Capability[] | null): string[] | null {
  if (!narrowed) return capabilities === null ? null : [...capabilities]
  const missing = capabilities === null ? undefined : narrowed.find((name) => !capabilities.includes(name))
  if (missing) throw new AppError('forbidden', `This key's runs are confined to: ${capabilities?.join(', ')}.`)
  return narrowed
}

/** The model a run is asked for, else the owner's default, else the first that chats here. Throws `unknown_model`. */
async function modelFor(ownerId: number, { model: asked }: StartRequest): Promise<Model> {
  const id = asked ?? (await agentSettings(ownerId)).defaultModel
  const model = id === null ? chatModels()[0] : findModel(id)
  if (model?.kind === 'chat') return model
  const why =
    id === null
      ? 'No chat model is served here.'
      : model
        ? `${id} is an engine for ${model.kind}s: it runs no agents.`
        : `There is no model "${id}".`
  throw new AppError('unknown_model', `${why} GET /api/v1/models lists them.`)
}

async function checkGoal(goal: string, model: Model): Promise<void> {
  const tokens = await countTokens(goal)
  const most = Math.floor(model.contextSize * GOAL_SHARE)
  if (tokens <= most) return
  throw invalidRequest([{ path: ['goal'], message: `has ${tokens} tokens; with ${model.id} a goal may have ${most}` }])
}

async function findTurn(ownerId: number, idempotencyKey: string): Promise<Turn | null> {
  return prisma().turn.findUnique({ where: { ownerId_idempotencyKey: { ownerId, idempotencyKey } } })
}

type NewTurn = { starter: Starter; request: StartRequest; turn: Turn & { agent: string } }

/** Writes a turn, and its job where it is the first one. Throws what refuses it, also a faster request like it. */
async function writeTurn(db: pg.PoolClient, { starter, request, turn }: NewTurn): Promise<null> {
  const { ownerId, keyId, grants } = starter
  const cap = grants.agentRunBudgetCredits
  const number = request.conversationId === undefined ? 1 : await followUp(db, ownerId, { ...turn, cap })
  const free = await freeThrough(db, ownerId, keyId)
  if (free.credits < LEAST_TO_START) {
    const { limitSource } = free
    const left = free.credits < 0n ? 0n : free.credits
    throw new AppError(
      'insufficient_credits',
      `A run needs ${LEAST_TO_START} free credits to start; ${left} are left.`,
      {
        detail: { limitSource },
      },
    )
  }
  if (number === 1) {
    await db.query(`INSERT INTO job (id, owner_id, title, status, run_id) VALUES ($1, $2, $3, 'running', $4)`, [
      turn.jobId,
      ownerId,
      titleOf(request.goal),
      turn.runId,
    ])
  }
  const { rowCount } = await db.query(
    `INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
       cap_credits, history_turn_limit, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'running')
     ON CONFLICT (owner_id, idempotency_key) DO NOTHING`,
    [
      turn.runId,
      turn.jobId,
      ownerId,
      number,
      keyId,
      request.idempotencyKey,
      request.goal,
      turn.mode,
      turn.model,
      turn.agent,
      turn.capabilities,
      cap.toString(),
      request.historyTurnLimit ?? null,
    ],
  )
  if (rowCount === 0) throw new AppError('conflict', 'This idempotencyKey is just being used.')
  await setLimit(db, turn.jobId, { ownerId, cap })
  await db.query(
    `UPDATE job SET status = 'running', run_id = $2, result = NULL, awaiting = NULL, tries = 0, updated_at = clock_timestamp()
     WHERE id = $1`,
    [turn.jobId, turn.runId],
  )
  await enqueue(db, { jobId: turn.jobId, runId: turn.runId })
  return null
}

/** Locks the conversation of a further turn and answers the turn's number. Throws what keeps it from starting. */
async function followUp(
  db: pg.PoolClient,
  ownerId: number,
  { jobId, cap }: { jobId: string; cap: bigint },
): Promise<number> {
  const job = await lockOwnJob(db, ownerId, jobId)
  if (!canFollow(job.status))
    throw new AppError('conflict', 'A run of this conversation is live: wait for it, answer it or cancel it.')
  const { rows } = await db.query<{ spent: string; cap: string; number: number }>(
    `SELECT l.spent, (SELECT max(number) FROM turn WHERE job_id = $1) AS number FROM spend_limit l WHERE l.id = $1`,
    [jobId],
  )
  const spent = BigInt(rows[0]?.spent ?? 0)
  if (job.reachedBy !== null || spent >= cap) {
    throw new AppError('insufficient_credits', 'This conversation has spent its ceiling. Start a new one.', {
      detail: { limitSource: 'conversation', creditsSpent: Number(spent), ceilingCredits: Number(cap) },
    })
  }
  return (rows[0]?.number ?? 0) + 1
}

/** The first line of a goal, as far as a list shows it. */
export function titleOf(goal: string): string {
  const line = goal.trim().split(/\r?\n/, 1)[0] ?? ''
  return line.length > TITLE
    ? `${line
        .slice(0, TITLE - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line
}

const viewStart = ({ jobId, runId, mode, model, capabilities, capCredits }: Turn): StartedJob => ({
  jobId,
  runId,
  conversationId: jobId,
  mode: Mode.parse(mode),
  model,
  runBudgetCredits: Number(capCredits),
  runBudgetScope: 'conversation',
  capabilities: capabilities.length > 0 ? capabilities : null,
  poll: `/api/v1/agent/${jobId}`,
})
