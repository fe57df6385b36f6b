import { reserveCredits } from '../../credits/reserve'
import { voidHold } from '../../credits/settle'
import type { SettleRequest } from '../../credits/settlement'
import { AppError, isAppError } from '../../errors'
import { uuidFrom } from '../../kit/id'
import { isRecord } from '../../kit/record'
import type { CompletionBody, TokenUsage } from '../../models/completion'
import { affordableOutput, creditsForTokens, holdForTokens, readUsage } from '../../models/prices'
import { estimatePrompt } from '../../models/prompt'
import { makeTokenCounter } from '../../models/tokens'
import { callModel } from '../../models/upstream/call'
import type { AgentRun } from './state'

/** A whole answer may take this long to begin: nothing of it is shown before it is there. */
const TIMEOUTS = { firstByteMs: 280_000, idleMs: 120_000 }

export type ModelCall = {
  body: CompletionBody
  /** Output tokens wanted, and the fewest that are worth asking for. */
  wanted: number
  fewest: number
  /** Credits that must stay free besides. */
  spare: bigint
  index: number
}

export type ModelReply = {
  message: Record<string, unknown>
  usage: TokenUsage
  estimated: boolean
  /** What the answer costs; nothing is charged yet. */
  settlement: SettleRequest
}

/** The id under which a step holds credits: another one for every try. */
export const stepHoldId = (run: AgentRun, index: number): string =>
  uuidFrom('step', run.runId, index, run.fence, run.tries)

/**
 * Asks a run's model, held for and not charged yet. Throws `insufficient_credits` when hold and spare do not fit,
 * `unauthorized` when the key is gone, and the model's failure after its hold was voided.
 */
export async function callRunModel(
  run: AgentRun,
  { body, wanted, fewest, spare, index }: ModelCall,
): Promise<ModelReply> {
  const { model } = run
  const startedAt = performance.now()
  const promptTokens = await estimatePrompt(body, model)
  const hold = (outputTokens: number) => holdForTokens({ promptTokens, outputTokens, n: 1 }, model)
  const id = stepHoldId(run, index)
  const held = await reserveCredits({
    id,
    ownerId: run.ownerId,
    keyId: run.keyId,
    jobId: run.jobId,
    least: hold(Math.min(fewest, wanted)),
    most: hold(wanted),
    spare,
    door: 'agent',
    product: 'agent',
    what: model.id,
  })
  if (held.kind !== 'held') throw new AppError('internal_error', 'A step was answered from elsewhere.')
  const taken = { id, ownerId: run.ownerId, held: held.amount }
  const limit = Math.min(wanted, affordableOutput(held.amount, { promptTokens, n: 1 }, model))
  const asked = { ...body, max_completion_tokens: limit }
  try {
    const signal = new AbortController().signal
    const answer = await callModel(model, asked, { signal, timeouts: TIMEOUTS })
    if (answer.kind !== 'json') throw new AppError('upstream_error', 'The model streamed unasked.')
    const { usage, estimated } = await measure(answer.body, promptTokens)
    return { message: messageOf(answer.body), usage, estimated, settlement: settlementOf() }

    function settlementOf(): SettleRequest {
      const actual = creditsForTokens(usage, model)
      const detail = {
        durationMs: Math.round(performance.now() - startedAt),
        ...usage,
        creditsPer1mInput: Number(model.creditsPer1mInput),
        creditsPer1mOutput: Number(model.creditsPer1mOutput),
        estimated,
      }
      return { ...taken, actual, status: 'ok', detail }
    }
  } catch (error) {
    await voidHold(taken, { error: isAppError(error) ? error.message : 'failed' })
    throw error
  }
}

async function measure(body: Record<string, unknown>, promptTokens: number) {
  const reported = readUsage(body.usage)
  if (reported) return { usage: reported, estimated: false }
  const counter = makeTokenCounter()
  counter.addChunk(body)
  return { usage: { inputTokens: promptTokens, outputTokens: await counter.total() }, estimated: true }
}

function messageOf({ choices }: Record<string, unknown>): Record<string, unknown> {
  const [choice] = Array.isArray(choices) ? choices : []
  return isRecord(choice) && isRecord(choice.message) ? choice.message : {}
}

/** The text of an answer's message: a string, or the texts of its parts. */
export function replyText({ content }: Record<string, unknown>): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** The calls an answer's message makes; whatever is no call of a function is left out. */
export function toolCallsIn({ tool_calls: calls }: Record<string, unknown>): { name: string; arguments: string }[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call) => {
    const made = isRecord(call) && isRecord(call.function) ? call.function : null
    if (!made || typeof made.name !== 'string') return []
    const given = made.arguments
    return [{ name: made.name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }]
  })
}
