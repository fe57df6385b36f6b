import { reserveCredits } from '../../credits/reserve'
import { voidHold } from '../../credits/settle'
import type { SettleRequest } from '../../credits/settlement'
import { AppError } from '../../errors'
import { uuidFrom } from '../../kit/id'
import { isRecord } from '../../kit/record'
import { billCompletion } from '../../models/bill'
import type { CompletionBody, TokenUsage } from '../../models/completion'
import { affordableOutput, holdForTokens } from '../../models/prices'
import { countTexts } from '../../models/tokens'
import { callModel } from '../../models/upstream/call'
import { chatModelRequest } from '../../models/wires/chat/request'
import type { AgentRun } from './state'

/** The model is called without streaming, so its first byte comes with the whole answer. */
const TIMEOUTS = { firstByteMs: 280_000, idleMs: 120_000 }

export type ModelCall = {
  /** Index of the step that makes the call. */
  index: number
  body: CompletionBody
  /** Estimated tokens of the prompt in `body`. */
  promptTokens: number
  /** Output tokens wanted, and how few are still worth the call. */
  maxOutput: number
  minOutput: number
  /** Credits that must remain free besides. */
  minRemaining: bigint
}

export type ModelReply = {
  message: Record<string, unknown>
  usage: TokenUsage
  /** True when the usage was counted here. */
  estimated: boolean
  /** What to charge for the call; nothing is charged yet. */
  settlement: SettleRequest
}

/** The id of a step's hold, different for every attempt. */
export const stepHoldId = (run: AgentRun, index: number): string =>
  uuidFrom('step', run.runId, index, run.fencingToken, run.attempts)

/**
 * Reserves credits and calls the run's model, without settling. Throws `insufficient_credits` when
 * the hold and `minRemaining` do not fit, `unauthorized` when the key was revoked, and the model's
 * failure after voiding the hold.
 */
export async function callRunModel(run: AgentRun, call: ModelCall): Promise<ModelReply> {
  const { model } = run
  const { promptTokens } = call
  const startedAt = performance.now()
  const hold = await reserveFor(run, call)
  const affordable = affordableOutput(hold.held, { promptTokens, n: 1 }, model)
  const request = { ...chatModelRequest(call.body), outputTokens: Math.min(call.maxOutput, affordable) }
  try {
    const { signal } = new AbortController()
    const answer = await callModel(model, request, { signal, timeouts: TIMEOUTS })
    if (answer.kind !== 'json') throw new AppError('upstream_error', 'The model streamed its answer, unasked.')
    const { credits, usage, estimated, detail } = await billCompletion({
      prices: model,
      reported: answer.facts.usage,
      promptTokens,
      countDelivered: () => countTexts(answer.facts.texts),
      held: hold.held,
    })
    const durationMs = Math.round(performance.now() - startedAt)
    const settlement = { ...hold, actual: credits, status: 'ok' as const, detail: { durationMs, ...detail } }
    return { message: messageOf(answer.body), usage, estimated, settlement }
  } catch (error) {
    await voidHold(hold, { error: error instanceof AppError ? error.message : 'failed' })
    throw error
  }
}

async function reserveFor(run: AgentRun, { index, promptTokens, maxOutput, minOutput, minRemaining }: ModelCall) {
  const { model, ownerId } = run
  const cost = (outputTokens: number) => holdForTokens({ promptTokens, outputTokens, n: 1 }, model)
  const id = stepHoldId(run, index)
  const reservation = await reserveCredits({
    id,
    ownerId,
    keyId: run.keyId,
    jobId: run.jobId,
    minCredits: cost(Math.min(minOutput, maxOutput)),
    maxCredits: cost(maxOutput),
    minRemaining,
    channel: 'agent',
    product: 'agent',
    what: model.id,
  })
  if (reservation.kind !== 'held') throw new AppError('internal_error', 'A step was replayed.')
  return { id, ownerId, held: reservation.amount }
}

function messageOf({ choices }: Record<string, unknown>): Record<string, unknown> {
  const [choice] = Array.isArray(choices) ? choices : []
  return isRecord(choice) && isRecord(choice.message) ? choice.message : {}
}

/** The text of a reply's message: a string, or the texts of its parts. */
export function replyText({ content }: Record<string, unknown>): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** The function calls in a reply's message. */
export function toolCallsIn({ tool_calls: calls }: Record<string, unknown>): { name: string; arguments: string }[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call) => {
    const made = isRecord(call) && isRecord(call.function) ? call.function : null
    if (!made || typeof made.name !== 'string') return []
    const given = made.arguments
    return [{ name: made.name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }]
  })
}
