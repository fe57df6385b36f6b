import type { CompletionAnswer } from '../../chat/complete'
import { inBackground, placeIn } from '../../chat/responses/background'
import { getResponse } from '../../chat/responses/find'
import { conversationNamed, type History, readHistory, refersToKept } from '../../chat/responses/history'
import { type Keeping, keepResponse, keepStream } from '../../chat/responses/keep'
import { canKeepResponses } from '../../chat/responses/seal'
import { findIdempotentCall } from '../../credits/idempotent-call'
import type { Replay } from '../../credits/plan'
import { env } from '../../env'
import { AppError, invalidRequest } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { type CallerGrants, requireScope } from '../../keys/grants'
import type { UnknownRecord } from '../../kit/record'
import { responsesWireCall } from '../../models/wires/responses/call'
import { inputAsItems } from '../../models/wires/responses/items'
import type { ResponsesRequest } from '../../models/wires/responses/request'
import { idFor, type ResponseState, responseBase } from '../../models/wires/responses/response'
import { taskIdempotency } from '../../tools/tasks'
import type { Checked } from '../billed'
import type { Context, ResponseMeta } from '../context'
import { type CompletionResponse, checkCompletion } from './completion'
import { idempotencyOf, openStored } from './idempotency'

type Asked = { ctx: Context; input: ResponsesRequest; by: Caller }

const NO_HISTORY: History = { items: [], input: null, rows: [], previousId: null, conversationId: null }

/** Days for which responses of a key's calls are kept; 0: none is. */
export const keptDays = ({ responseDays }: CallerGrants): number =>
  canKeepResponses() ? (responseDays ?? env().RETAIN_RESPONSES_DAYS) : 0

const NOTHING_KEPT =
  'needs kept responses, and none is kept for this key: send the whole conversation in input. responseDays of the ' +
  'key, RETAIN_RESPONSES_DAYS and ENCRYPTION_KEY of the service decide that'

/** Throws `invalid_request` for what refers to something kept, where nothing is. */
function refuseUnkept(request: ResponsesRequest): void {
  const { previous_response_id: previous, background } = request
  const field =
    previous != null
      ? 'previous_response_id'
      : conversationNamed(request) !== null
        ? 'conversation'
        : background
          ? 'background'
          : refersToKept(request)
            ? 'input'
            : null
  if (field) throw invalidRequest([{ path: [field], message: NOTHING_KEPT }])
}

/** The request with its history in front of its own input. Its items were requests and answers. */
const withHistory = (request: ResponsesRequest, { items, input }: History): ResponsesRequest =>
  items.length === 0 && input === null
    ? request
    : { ...request, input: [...items, ...(input ?? inputAsItems(request.input))] as ResponsesRequest['input'] }

/** The check of one call of the Responses API: its history, its plan, and what is kept of it. */
export async function checkResponse({ ctx, input, by }: Asked): Promise<Checked<CompletionAnswer, CompletionResponse>> {
  const { ownerId, grants } = by
  const days = keptDays(grants)
  if (days === 0) refuseUnkept(input)
  if (refersToKept(input)) requireScope(grants, 'llm')
  const history = refersToKept(input) ? await readHistory(ownerId, input) : NO_HISTORY
  const conversation = conversationNamed(input)
  const state: ResponseState = {
    store: days > 0 && input.store !== false,
    background: input.background === true,
    previous_response_id: input.previous_response_id ?? null,
    conversation: conversation === null ? null : { id: conversation },
  }
  const wire = responsesWireCall(withHistory(input, history), state)
  const own = history.input ?? inputAsItems(input.input)
  const keeping: Keeping = { ownerId, days, id: ctx.requestId, input: own, used: history }
  if (state.background) return checkBackground({ ctx, input, by }, { wire, state, keeping })
  const { plan, answer } = await checkCompletion({ ctx, by }, wire, 'responses')
  if (!state.store) return { plan, answer }
  return {
    plan,
    answer: async (outcome) => {
      const answered = await answer(outcome)
      return outcome.kind === 'replay' ? answered : kept(answered, keeping)
    },
  }
}

/** An answer that is kept before its client has it. */
async function kept(answered: CompletionResponse, keeping: Keeping): Promise<CompletionResponse> {
  if (answered.kind === 'stream') return { ...answered, pieces: keepStream(answered.pieces, keeping) }
  const { service, ...response } = answered.body as UnknownRecord
  return { kind: 'json', body: { ...(await keepResponse(keeping, response)), service } }
}

type Background = { wire: ReturnType<typeof responsesWireCall>; state: ResponseState; keeping: Keeping }

async function checkBackground(
  { ctx, by }: Asked,
  { wire, state, keeping }: Background,
): Promise<Checked<CompletionAnswer, CompletionResponse>> {
  const { requestId: id, reply } = ctx
  const stop = new AbortController()
  const given = idempotencyOf(ctx, 'responses') ?? taskIdempotency(id)
  const more = { idempotency: { ...given, isWhole: true }, cancel: stop.signal }
  const { plan } = await checkCompletion({ ctx, by }, wire, 'responses', more)
  const { model, body } = wire.request
  const opening = { ...responseBase({ id, model, body, state }), status: 'queued' }
  return {
    plan: inBackground(plan, { keeping, opening, stop }),
    answer: async (outcome) => {
      if (outcome.kind === 'replay') return { kind: 'json', body: await replayed(outcome, by.ownerId, reply) }
      return { kind: 'json', body: outcome.kind === 'json' ? outcome.body : {} }
    },
  }
}

/** What became of the response of an earlier request with the same Idempotency-Key. */
function replayed({ answer }: Replay, ownerId: number, reply: ResponseMeta): Promise<UnknownRecord> {
  const { body } = openStored(answer, reply)
  return getResponse(ownerId, idFor('resp', placeIn(body) ?? ''))
}

/** The response of a call in the background that goes on, for a repeat of its request. */
export async function responseInProgress(error: unknown, { ctx, input }: Omit<Asked, 'by'>): Promise<object | null> {
  const isInProgress = error instanceof AppError && error.reason === 'in_progress'
  const caller = ctx.reply.caller
  const idempotency = isInProgress && input.background ? idempotencyOf(ctx, 'responses') : undefined
  const id = caller && idempotency ? await findIdempotentCall(caller.keyId, idempotency) : null
  if (!caller || id === null) return null
  ctx.reply.replayed = true
  return getResponse(caller.ownerId, idFor('resp', id))
}
