import { LRUCache } from 'lru-cache'
import { getAgentSettings } from '../../accounts/agent-settings'
import { requireActiveCustomer } from '../../accounts/customers/change'
import { allowedAgentTools } from '../../agent-tools/registry'
import { prisma } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import { type CallerGrants, isModelAllowed, requireModel, requireScope } from '../../keys/grants'
import { isUuid, uuidv7 } from '../../kit/id'
import { resolveFor } from '../../kit/resolve'
import { findModel } from '../../models/registry'
import type { Model } from '../../models/shape'
import { countTokens } from '../../models/tokens'
import { CAPABILITIES, type Capability } from '../../tools/define'
import { routeGoal } from '../agents'
import { missingContext, type ToolOffer } from '../run/offered-tools'
import { RunMode, type RunPrice, type StartedJob, type StartRequest } from '../shape'
import { checkOutputSchema } from '../structured/schema-pool'
import { parseCallbackUrl, refusePrivateCallback } from '../webhooks/callback-url'
import { checkAttachments, dropAttachments, goalText, type StoredAttachment, storeAttachments } from './attachments'
import { AUTO_MODEL, chooseModel, chooseSummaryModel, requireChatModel } from './choose-model'
import { jobNotFound } from './read-job'
import { priceOfRun, readRunHistory, withJudges } from './run-price'
import { type RunStarter, type StartOrigin, type TurnRecord, writeTurn } from './write-turn'

/** Part of a model's context that a goal may fill. */
const GOAL_SHARE = 0.5

export type StartResult = { job: StartedJob; replayed: boolean }

/**
 * Starts a run: of a new conversation, or another turn of an idle one. The job and the message to
 * the workers are written in one statement. A repeated idempotency key of the owner returns the
 * first run, whatever else the request says. Throws `invalid_request`, `unknown_model`,
 * `forbidden`, `not_found`, `conflict` while a run of the conversation is live, and
 * `insufficient_credits` when too little is free or the conversation has reached its spend limit.
 */
export async function startJob(
  starter: RunStarter,
  request: StartRequest,
  { attached = [], ...startedBy }: StartOrigin & { attached?: readonly StoredAttachment[] } = { origin: 'api' },
): Promise<StartResult> {
  const { ownerId, grants } = starter
  const { model: chosen, capabilities, callbackUrl } = await checkStart(starter, request)
  const known = await findTurn(ownerId, request.idempotencyKey)
  const view = async (turn: TurnRecord) =>
    viewStart(turn, await startPrice(ownerId, findModel(turn.model) ?? chosen, request))
  requireOwnTurn(grants, known)
  if (known) return { job: await view(known), replayed: true }
  if (callbackUrl !== null) await refusePrivateCallback(callbackUrl, resolveFor(String(ownerId)))
  const settings = await getAgentSettings(ownerId)
  const tools = allowedAgentTools({ capabilities, disabledTools: settings.disabledTools })
  const before = await lastTurn(ownerId, request)
  requireOwnTurn(grants, before)
  const model = modelOfTurn(starter, request, { chosen, before })
  const agent = startedBy.rerun?.agent ?? before?.agent ?? routeGoal(request.goal, tools)
  const customerId = starter.customerId ?? grants.customer?.id ?? before?.customerId ?? null
  if (customerId !== null) await requireActiveCustomer(ownerId, customerId)
  const schemaText = request.outputSchema === undefined ? '' : JSON.stringify(request.outputSchema)
  const checked = await checkAttachments(ownerId, request.attachments)
  const kept = await storeAttachments(ownerId, checked)
  const attachments = [...attached, ...kept]
  const drop = () => dropAttachments(ownerId, checked, kept)
  try {
    requireContext({ tools, model, goal: goalText(request.goal, attachments) + schemaText })
  } catch (error) {
    await drop()
    throw error
  }
  const turn = {
    runId: uuidv7(),
    jobId: request.conversationId ?? uuidv7(),
    mode: request.mode,
    model: model.id,
    capabilities: capabilities ?? [],
    summaryModel: chooseSummaryModel({ settings, grants }, model)?.id ?? null,
    capCredits: grants.agentRunBudgetCredits,
    agent,
    customerId,
    isFollowUp: before !== null,
    callbackUrl,
    attachments,
    ...startedBy,
  }
  const refused = await writeTurn({ starter, request, turn }).catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  if (refused === null) return { job: await view(turn), replayed: false }
  // A concurrent request with the same idempotency key may have been first, or kept this one
  // waiting too long; or this one was written, and the connection was lost with the answer.
  const first = await findTurn(ownerId, request.idempotencyKey)
  if (first?.runId !== turn.runId) await drop()
  if (!first) throw refused
  return { job: await view(first), replayed: true }
}

type CheckedFields = Pick<
  StartRequest,
  'goal' | 'model' | 'capabilities' | 'callbackUrl' | 'outputSchema' | 'attachments' | 'checks'
>
type Checked = { model: Model; capabilities: string[] | null; callbackUrl: string | null }

/**
 * What a run would start with. Throws what `startJob` throws for a request that this key may never
 * start, whatever its credits.
 */
export async function checkStart({ ownerId, grants }: RunStarter, request: CheckedFields): Promise<Checked> {
  const narrowed = readCapabilities(request)
  const callbackUrl = request.callbackUrl === undefined ? null : parseCallbackUrl(request.callbackUrl)
  const model = chooseModel({ settings: await getAgentSettings(ownerId), grants }, request)
  await checkGoal(request.goal, model)
  if (request.outputSchema !== undefined) await checkOutputSchema(request.outputSchema, { ownerId })
  requireScope(grants, 'agent')
  requireModel(grants, model.id)
  requireChecks(grants, request)
  return { model, capabilities: restrict(grants, narrowed), callbackUrl }
}

function readCapabilities({ capabilities }: Pick<StartRequest, 'capabilities'>): Capability[] | null {
  if (!capabilities) return null
  const unknown = capabilities.filter((name) => !CAPABILITIES.includes(name as Capability))
  if (unknown.length > 0) {
    const message = `There is no capability group "${unknown[0]}". Use some of: ${CAPABILITIES.join(', ')}.`
    throw invalidRequest([{ path: ['capabilities'], message }])
  }
  return [...new Set(capabilities as Capability[])]
}

/**
 * The key's capability groups, or those of them in the request. Throws `forbidden` for one the key
 * lacks.
 */
function restrict({ capabilities }: CallerGrants, narrowed: Capability[] | null): string[] | null {
  if (!narrowed) return capabilities === null ? null : [...capabilities]
  const missing = capabilities === null ? undefined : narrowed.find((name) => !capabilities.includes(name))
  if (missing) throw new AppError('forbidden', `This key's runs may only use: ${capabilities?.join(', ')}.`)
  return narrowed
}

/** Throws for checks that this key's runs cannot have. */
function requireChecks(grants: CallerGrants, { checks = [], outputSchema }: CheckedFields): void {
  for (const [i, check] of checks.entries()) {
    if (check.kind === 'judge') requireModel(grants, requireChatModel(check.model).id)
    if (check.kind === 'equals' && check.path !== undefined && outputSchema === undefined)
      throw invalidRequest([{ path: ['checks', i, 'path'], message: 'leads into the output: give an outputSchema' }])
  }
}

async function checkGoal(goal: string, model: Model): Promise<void> {
  const tokens = await countTokens(goal)
  const maxTokens = Math.floor(model.contextSize * GOAL_SHARE)
  if (tokens <= maxTokens) return
  throw invalidRequest([
    { path: ['goal'], message: `has ${tokens} tokens; with ${model.id} a goal may have ${maxTokens}` },
  ])
}

/** Refuses a run whose model has too little context for its tools. */
function requireContext(choice: ToolOffer & { model: Model }): void {
  const missing = missingContext(choice)
  if (!missing) return
  const { id, contextSize } = choice.model
  const tokens = (n: number) => n.toLocaleString('en-US')
  const message = `has too little context: ${id} takes ${tokens(contextSize)} tokens, and this run needs about ${tokens(missing.neededTokens)}, for instructions, its most important tools (${tokens(missing.toolTokens)} tokens), the goal and their results. Choose a model with more context, or a shorter goal.`
  throw invalidRequest([{ path: ['model'], message }])
}

/**
 * The latest turn of a conversation, null where this goal begins one. A follow-up keeps its agent,
 * since another prompt and other tools would cost the provider's cache, and its customer.
 */
async function lastTurn(ownerId: number, { conversationId }: StartRequest) {
  // What is not a UUID names no conversation: the statement that starts the turn says so.
  if (conversationId === undefined || !isUuid(conversationId)) return null
  return prisma().turn.findFirst({
    where: { jobId: conversationId, ownerId },
    orderBy: { number: 'desc' },
    select: { agent: true, customerId: true, model: true },
  })
}

/** Throws `not_found` where a key that is bound to a customer names a run of another one. */
function requireOwnTurn({ customer }: CallerGrants, turn: { customerId: number | null } | null): void {
  if (customer && turn && turn.customerId !== customer.id) throw jobNotFound()
}

/** In a follow-up `auto` is the model of the turn before: its provider has the cache. */
function modelOfTurn(
  { grants }: RunStarter,
  { model: asked }: StartRequest,
  { chosen, before }: { chosen: Model; before: { model: string } | null },
): Model {
  const kept = asked === AUTO_MODEL && before ? findModel(before.model) : null
  return kept?.kind === 'chat' && isModelAllowed(grants, kept.id) ? kept : chosen
}

async function findTurn(
  ownerId: number,
  idempotencyKey: string,
): Promise<(TurnRecord & { customerId: number | null }) | null> {
  return prisma().turn.findUnique({ where: { ownerId_idempotencyKey: { ownerId, idempotencyKey } } })
}

/** What runs of an owner and a model cost changes slowly, and starts may be many. */
const prices = new LRUCache<string, RunPrice>({ max: 1_000, ttl: 10_000 })

/**
 * What a run that was started will cost, with the models that judge its result; undefined where
 * that cannot be read now.
 */
async function startPrice(
  ownerId: number,
  model: Model,
  { mode, checks = [] }: Pick<StartRequest, 'mode' | 'checks'>,
): Promise<RunPrice | undefined> {
  const alone = await priceWithoutJudges(ownerId, model, mode)
  const judges = checks.flatMap((check) => (check.kind === 'judge' ? (findModel(check.model) ?? []) : []))
  return alone && withJudges(alone, judges)
}

async function priceWithoutJudges(ownerId: number, model: Model, mode: RunMode): Promise<RunPrice | undefined> {
  const key = `${ownerId} ${mode} ${model.id}`
  const known = prices.get(key)
  if (known) return known
  const history = await readRunHistory({ ownerId, modelId: model.id, mode }).catch(() => null)
  if (!history) return undefined
  const price = priceOfRun(history, model)
  prices.set(key, price)
  return price
}

const viewStart = (
  { jobId, runId, mode, model, capabilities, capCredits }: TurnRecord,
  price: RunPrice | undefined,
): StartedJob => ({
  jobId,
  runId,
  conversationId: jobId,
  mode: RunMode.parse(mode),
  model,
  runBudgetCredits: Number(capCredits),
  runBudgetScope: 'conversation',
  capabilities: capabilities.length > 0 ? capabilities : null,
  poll: `/api/v1/agent/${jobId}`,
  ...(price && { price }),
})
