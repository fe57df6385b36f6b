import type { HoldPayer, Idempotency } from '../credits/hold-request'
import type { CallPlan, Held, Unsettled } from '../credits/plan'
import { creditsForUsd } from '../credits/price'
import type { Settlement } from '../credits/settlement'
import type { CallChannel } from '../credits/shape'
import { AppError } from '../errors'
import { withSpan } from '../kit/tracing/tracer'
import { logCall } from '../request-log/record'
import type { AnyTool, ToolContext } from './define'
import { finalizeRun } from './finalize'
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

/** What a tool returned, and what it was charged. */
export type ToolOutcome = { kind: 'ran'; result: Record<string, unknown>; charged: number }

/**
 * The only way to a tool: parses its parameters, checks the grant, and finds the highest price. A
 * refusal (`invalid_request`, `forbidden`, …) throws without a charge. A tool that runs and fails
 * throws `upstream_error` with one, from its outcome.
 */
export async function planToolCall(call: ToolCall): Promise<CallPlan<Unsettled<ToolOutcome>>> {
  const { tool, id, channel, idempotency, minRemaining } = call
  const input = readToolInput(tool, call.params)
  if (!call.granted) throw new AppError('forbidden', `This key may not call ${tool.id}.`)
  const product = channel === 'agent' ? 'agent' : 'tool'
  const maxCredits = await maxCreditsOf(tool, input)
  return {
    terms: { id, maxCredits, minRemaining, channel, product, what: tool.id, idempotency },
    gone: call.callerSignal,
    run: (held) => runTool(call, input, held),
  }
}

async function runTool(call: ToolCall, input: never, held: Held): Promise<Unsettled<ToolOutcome>> {
  const { tool } = call
  const run = await withSpan('execute_tool', async (span) => {
    span?.updateName(`execute_tool ${tool.id}`)
    const ran = await runWithinBudget(call, input, held)
    span?.setAttributes(toolAttributes(call, ran))
    return ran
  })
  const capUsd = tool.pricing.kind === 'metered' ? tool.pricing.capUsd?.(input) : undefined
  const cap = capUsd === undefined ? null : creditsForUsd(capUsd)
  const performed = finalizeRun(call, run, { held: held.amount, cap, keep: held.keep })
  countToolCall(tool.id, performed.settlement.status, run.durationMs)
  return call.channel === 'agent' ? performed : { ...performed, outcome: withLog(call, performed.outcome) }
}

/** An outcome that is kept in the owner's log of calls; a run keeps its steps itself. */
const withLog =
  ({ id, params: request, payer: { ownerId } }: ToolCall, outcome: (settled: Settlement) => ToolOutcome) =>
  (settled: Settlement): ToolOutcome => {
    try {
      const ran = outcome(settled)
      logCall({ id, ownerId, request, response: ran.result })
      return ran
    } catch (error) {
      const message = error instanceof AppError ? error.message : 'The call failed.'
      logCall({ id, ownerId, request, response: { error: message } })
      throw error
    }
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
