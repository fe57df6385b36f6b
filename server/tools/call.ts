import type { HoldPayer, Idempotency } from '../credits/hold-request'
import { creditsForUsd } from '../credits/price'
import { reserveCredits, type StoredResponse } from '../credits/reserve'
import { settleHold } from '../credits/settle'
import type { CallChannel } from '../credits/shape'
import { AppError } from '../errors'
import { withSpan } from '../kit/tracing/tracer'
import { logCall } from '../request-log/record'
import type { AnyTool, ToolContext } from './define'
import { finalizeRun, type UnsettledToolCall } from './finalize'
import { countToolCall } from './metrics'
import { maxCreditsOf, readToolInput } from './price'
import { type FinishedRun, runWithinBudget } from './run'

export type ToolCall = {
  tool: AnyTool
  params: unknown
  payer: HoldPayer
  /** False: the caller's grants do not cover this tool. */
  granted: boolean
  /** The request's id, and its hold's. */
  id: string
  channel: CallChannel
  idempotency?: Idempotency
  /** Credits that must remain available besides this call's. */
  minRemaining?: bigint
  /** A person approved this very call. */
  approved?: boolean
  /** The agent run that makes the call. */
  run?: ToolContext['run']
  /** That run has read untrusted text. */
  hasReadUntrusted?: boolean
  earlierOutput?: ToolContext['earlierOutput']
  /** Aborts when the client disconnects. Ignored once the provider has the request. */
  callerSignal?: AbortSignal
}

export type ToolOutcome =
  | { kind: 'ran'; result: Record<string, unknown>; charged: number }
  | { kind: 'replay'; answer: StoredResponse }

/**
 * The only way to run a tool: parse, check the grant, reserve, run, settle. A refusal (invalid
 * parameters, `forbidden`, `insufficient_credits`, …) throws without a charge; a tool that ran and
 * failed throws `upstream_error` with one.
 */
export async function callTool(call: ToolCall): Promise<ToolOutcome> {
  const done = await callToolUnsettled(call)
  if (done.kind === 'replay') return done
  const { id, params: request } = call
  const { ownerId } = call.payer
  try {
    const outcome = done.outcome(await settleHold(done.settlement))
    if (outcome.kind === 'ran') logCall({ id, ownerId, request, response: outcome.result })
    return outcome
  } catch (error) {
    logCall({
      id,
      ownerId,
      request,
      response: { error: error instanceof AppError ? error.message : 'The call failed.' },
    })
    throw error
  }
}

/**
 * The same without the settlement, for a caller that settles and writes in one transaction. A
 * refusal throws; an error of the run is thrown by `outcome`.
 */
export async function callToolUnsettled(
  call: ToolCall,
): Promise<UnsettledToolCall | Extract<ToolOutcome, { kind: 'replay' }>> {
  const { tool, id, channel, idempotency, minRemaining } = call
  const input = readToolInput(tool, call.params)
  if (!call.granted) throw new AppError('forbidden', `This key may not call ${tool.id}.`)

  const reserved = await reserveCredits(
    {
      ...call.payer,
      id,
      maxCredits: await maxCreditsOf(tool, input),
      minRemaining,
      channel,
      product: channel === 'agent' ? 'agent' : 'tool',
      what: tool.id,
      idempotency,
    },
    call.callerSignal,
  )
  if (reserved.kind === 'replay') return { kind: 'replay', answer: reserved.answer }

  const run = await withSpan('execute_tool', async (span) => {
    span?.updateName(`execute_tool ${tool.id}`)
    const ran = await runWithinBudget(call, input)
    span?.setAttributes(toolAttributes(call, ran))
    return ran
  })
  const capUsd = tool.pricing.kind === 'metered' ? tool.pricing.capUsd?.(input) : undefined
  const cap = capUsd === undefined ? null : creditsForUsd(capUsd)
  const performed = finalizeRun(call, run, { held: reserved.amount, cap, keep: reserved.keep })
  countToolCall(tool.id, performed.settlement.status, run.durationMs)
  return performed
}

/** What the span of a tool says, by the conventions for generative AI. */
const toolAttributes = ({ tool, id }: ToolCall, { error, sent, costUsd }: FinishedRun) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool.id,
  'gen_ai.tool.call.id': id,
  'gen_ai.tool.type': 'function',
  'tollgate.provider.reached': sent,
  ...(costUsd > 0 && { 'tollgate.cost.usd': costUsd }),
  ...(error !== undefined && { 'error.type': error instanceof AppError ? error.code : 'internal_error' }),
})
