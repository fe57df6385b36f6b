import { holdAndRun } from '../../credits/perform'
import type { CallPlan, Held } from '../../credits/plan'
import { voidHold } from '../../credits/settle'
import type { SettleRequest } from '../../credits/settlement'
import { AppError } from '../../errors'
import { uuidFrom } from '../../kit/id'
import { billCompletion, type CompletionBill } from '../../models/bill'
import type { CompletionBody, TokenUsage } from '../../models/completion'
import { countBilledTokens } from '../../models/metrics'
import { affordableOutput, creditsForTokens, holdForTokens } from '../../models/prices'
import type { Model } from '../../models/shape'
import { callModel } from '../../models/upstream/call'
import { chatModelRequest } from '../../models/wires/chat/request'
import { creditsLeft } from './credits-left'
import { expectedOutput, noteOutput } from './expected-output'
import { type FoldedReply, type OnModelDelta, readReply } from './model-reply'
import { markForCache } from './prompt-cache'
import { type ReplyHold, replyHold } from './reply-hold'
import { runPayer } from './run-payer'
import type { AgentRun } from './state'

/** Upstreams that do not stream send their first byte with the whole answer. */
const TIMEOUTS = { firstByteMs: 280_000, idleMs: 120_000 }
/** Longest time of one reply, however steadily it comes. */
const MAX_REPLY_MS = 15 * 60_000

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
  /** How many messages stay as they are in the run's further calls, from the first; 0: none. */
  stableMessages?: number
  /** Of a call that makes no step. */
  holdId?: string
  /** True for a second call within one attempt of the step. */
  isSecond?: boolean
  /** Gets the reply in pieces, while it comes. */
  onDelta?: OnModelDelta
}

export type ModelReply = Pick<FoldedReply, 'message' | 'finishReason'> & {
  usage: TokenUsage
  /** Output tokens that it could have. */
  maxOutput: number
  /** Credits that the provider's cache saved; below 0 where writing to it cost more. */
  savedCredits: number
  /** True when the usage was counted here. */
  estimated: boolean
  /** What to charge for the call; nothing is charged yet. */
  settlement: SettleRequest
}

/** The id of a step's hold, different for every attempt. */
export const stepHoldId = (run: AgentRun, index: number, isSecond = false): string =>
  uuidFrom('step', run.runId, index, run.fencingToken, run.attempts, ...(isSecond ? ['second'] : []))

/**
 * Reserves credits and calls the run's model, without settling; the reply is streamed where its
 * upstream streams. Throws `insufficient_credits` when the hold and `minRemaining` do not fit,
 * `unauthorized` when the key was revoked, and the model's failure after voiding the hold.
 */
export const callRunModel = (run: AgentRun, call: ModelCall): Promise<ModelReply> =>
  holdAndRun(runPayer(run), planReply(run, call))

/** A reply, held as long as those before it: more is reserved as it gets longer. */
function planReply(run: AgentRun, call: ModelCall): CallPlan<ModelReply> {
  const { index, promptTokens, maxOutput, minRemaining, isSecond } = call
  const { model } = run
  const cost = (outputTokens: number) => holdForTokens({ promptTokens, outputTokens, n: 1 }, model)
  const minOutput = Math.min(call.minOutput, maxOutput)
  const terms = {
    id: call.holdId ?? stepHoldId(run, index, isSecond),
    minCredits: cost(minOutput),
    maxCredits: cost(Math.min(maxOutput, Math.max(minOutput, expectedOutput(run)))),
    minRemaining,
    channel: 'agent',
    product: 'agent',
    what: model.id,
  } as const
  return { terms, run: (held) => readHeldReply(run, call, { terms, held }) }
}

/** The terms of a reply's hold, and what was held on them. */
type HeldReply = { terms: CallPlan<ModelReply>['terms']; held: Held }

async function readHeldReply(run: AgentRun, call: ModelCall, { terms, held }: HeldReply): Promise<ModelReply> {
  const { model, ownerId } = run
  const { promptTokens } = call
  const startedAt = performance.now()
  const hold = { id: terms.id, ownerId, channel: terms.channel, held: held.amount }
  const outputTokens = await payableOutput(run, call, { terms, held })
  const size = { model, promptTokens, maxOutput: outputTokens }
  const reserved = replyHold({ ...runPayer(run), ...terms }, held.amount, size)
  const request = { ...chatModelRequest(call.body), isStream: true, takesWhole: true, outputTokens }
  const stable = call.stableMessages ?? 0
  // Chat upstreams that know no marks may refuse them.
  if (stable > 0) request.toChat = (body) => markForCache(body, { stable, key: run.jobId })
  const cancel = new AbortController()
  const timeout = setTimeout(
    () => cancel.abort(new AppError('upstream_error', TOO_SLOW, { reason: 'timeout' })),
    MAX_REPLY_MS,
  )
  try {
    const logged = { requestId: hold.id, owner: ownerId, job: run.jobId }
    const answer = await callModel(model, request, { signal: cancel.signal, timeouts: TIMEOUTS, logged })
    // The first event of a stream is here.
    const firstTokenMs = answer.kind === 'stream' ? Math.round(performance.now() - startedAt) : undefined
    const reply = await readReply(answer, cancel, { onDelta: call.onDelta, written: reserved.written })
    const { credits, usage, estimated, detail } = await billReply(reply, reserved, { model, promptTokens })
    noteOutput(model.id, usage.outputTokens)
    countBilledTokens(model, usage)
    const durationMs = Math.round(performance.now() - startedAt)
    const settlement = {
      ...hold,
      held: reserved.held(),
      actual: credits,
      status: 'ok' as const,
      detail: { durationMs, ...detail, ...(firstTokenMs !== undefined && { firstTokenMs }) },
    }
    const { inputTokens, outputTokens: written } = usage
    const savedCredits = Number(creditsForTokens({ inputTokens, outputTokens: written }, model) - credits)
    const { message, finishReason } = reply
    const maxOutput = reply.isStopped ? reserved.paidOutput() : outputTokens
    return { message, finishReason, usage, maxOutput, savedCredits, estimated, settlement }
  } catch (error) {
    await voidHold(hold, { error: error instanceof AppError ? error.message : 'failed' })
    throw error
  } finally {
    clearTimeout(timeout)
  }
}

const TOO_SLOW = `The model did not finish its answer within ${MAX_REPLY_MS / 60_000} minutes.`

/** The bill of a reply. What it cost beyond its hold is reserved, as far as the limits allow. */
async function billReply(
  { usage: reported, delivered }: FoldedReply,
  reserved: ReplyHold,
  { model: prices, promptTokens }: { model: Model; promptTokens: number },
): Promise<CompletionBill> {
  const cost = { prices, reported, promptTokens, countDelivered: delivered.total }
  const bill = await billCompletion({ ...cost, held: reserved.held() })
  if (bill.loss === 0n) return bill
  await reserved.cover(bill.credits)
  return billCompletion({ ...cost, held: reserved.held() })
}

/**
 * Output tokens that the upstream may write. Never longer than what is left pays for; with less
 * than it would likely cost, than the hold.
 */
async function payableOutput(run: AgentRun, call: ModelCall, { terms, held: { amount } }: HeldReply): Promise<number> {
  const { promptTokens, maxOutput, minRemaining } = call
  const left = amount < terms.maxCredits ? amount : BigInt((await creditsLeft(run)).credits) - minRemaining
  return Math.min(maxOutput, affordableOutput(left > amount ? left : amount, { promptTokens, n: 1 }, run.model))
}
