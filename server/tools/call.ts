import { setTimeout as sleep } from 'node:timers/promises'
import { creditsForUsd } from '../credits/price'
import {
  creditsExhausted,
  type HoldPayer,
  type Idempotency,
  reserveCredits,
  type StoredResponse,
} from '../credits/reserve'
import { settleHold } from '../credits/settle'
import type { Settlement, SettleRequest } from '../credits/settlement'
import type { CallChannel, ReceiptDetail } from '../credits/shape'
import { env } from '../env'
import { AppError, invalidRequest, isAppError } from '../errors'
import { log } from '../kit/log'
import { metrics } from '../kit/metrics'
import type { AnyTool, ToolContext } from './define'

export type ToolCall = {
  tool: AnyTool
  params: unknown
  payer: HoldPayer
  /** False: the caller's grants do not cover this tool. */
  granted: boolean
  /** The request's id, and its hold's. */
  id: string
  door: CallChannel
  idempotency?: Idempotency
  /** Credits that must stay free besides. */
  spare?: bigint
  /** A person approved this very call. */
  approved?: boolean
  /** The agent run that makes the call has read text of strangers. */
  hasReadForeign?: boolean
  /** Aborts when the caller leaves. Ignored once the vendor took the request. */
  gone?: AbortSignal
}

export type ToolOutcome =
  | { kind: 'ran'; result: Record<string, unknown>; charged: number }
  | { kind: 'replay'; answer: StoredResponse }

const DEFAULT_TIMEOUT_MS = 60_000
/** A charge that only the database knows is waited for at least so long, also by a call that used its time up. */
const MIN_PATIENCE_MS = 5_000

/** What became of a run: its result or its error, what it cost, and whether the vendor took the request. */
type Run = {
  result?: Record<string, unknown>
  /** The result as JSON. */
  text?: string
  error?: unknown
  accepted: boolean
  /** The caller left before the vendor took the request. */
  left: boolean
  costUsd: number
  durationMs: number
  /** What is left of its time budget. */
  leftMs: number
}

/** A tool that has run and is not charged yet: what to settle, and what comes of it. */
export type UnsettledToolCall = {
  kind: 'performed'
  settlement: SettleRequest
  /** The outcome, once settled. Throws the run's failure with its charge, or `insufficient_credits` when credits ran out. */
  outcome: (settled: Settlement) => ToolOutcome
}

/**
 * The only way to run a tool: parse, grant, reserve, run, settle. A refusal (`unknown` parameters, `forbidden`,
 * `insufficient_credits`, …) throws without a charge; a tool that ran and failed throws `upstream_error` with one.
 */
export async function callTool(call: ToolCall): Promise<ToolOutcome> {
  const done = await callToolUnsettled(call)
  return done.kind === 'replay' ? done : done.outcome(await settleHold(done.settlement))
}

/**
 * The same without the settlement, for a caller that charges and writes in one transaction. A refusal throws; what
 * went wrong later is thrown by `outcome`.
 */
export async function callToolUnsettled(
  call: ToolCall,
): Promise<UnsettledToolCall | Extract<ToolOutcome, { kind: 'replay' }>> {
  const { tool, id } = call
  const parsed = tool.params.safeParse(call.params)
  if (!parsed.success) {
    throw invalidRequest(parsed.error.issues.map((i) => ({ ...i, path: ['params', ...i.path] })))
  }
  if (!call.granted) throw new AppError('forbidden', `This key may not call ${tool.id}.`)

  const input = parsed.data as never
  const { pricing } = tool
  const most = pricing.kind === 'fixed' ? BigInt(pricing.credits) : creditsForUsd(await boundOf(pricing, input))
  const { door, idempotency, spare } = call
  const product = door === 'agent' ? 'agent' : 'tool'
  const ask = { ...call.payer, id, most, spare, door, product, what: tool.id, idempotency } as const
  const admitted = await reserveCredits(ask, call.gone)
  if (admitted.kind === 'replay') return { kind: 'replay', answer: admitted.answer }

  const run = await runTool(call, input)
  const capUsd = pricing.kind === 'metered' ? pricing.capUsd?.(input) : undefined
  return judge(call, run, { held: admitted.amount, cap: capUsd === undefined ? null : creditsForUsd(capUsd) })
}

/** A metered call's bound may have to be asked of the vendor: when that fails, the call failed at no cost. */
async function boundOf({ boundUsd }: Extract<AnyTool['pricing'], { kind: 'metered' }>, input: never): Promise<number> {
  try {
    return await boundUsd(input)
  } catch (error) {
    throw isAppError(error) && error.code === 'upstream_error' ? error.charged(0) : error
  }
}

async function runTool({ tool, payer, gone, approved, hasReadForeign }: ToolCall, input: never): Promise<Run> {
  const started = performance.now()
  const budgetMs = typeof tool.timeoutMs === 'function' ? tool.timeoutMs(input) : (tool.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const stop = new AbortController()
  const over = () =>
    stop.abort(new AppError('upstream_error', `${tool.id} was out of time after ${budgetMs / 1000} s.`))
  const timer = setTimeout(over, budgetMs)
  const run: Run = { accepted: false, left: false, costUsd: 0, durationMs: 0, leftMs: budgetMs }
  const left = () => {
    if (run.accepted) return
    run.left = true
    stop.abort(callerLeft())
  }
  gone?.addEventListener('abort', left, { once: true })
  if (gone?.aborted) left()

  const context: ToolContext = {
    signal: stop.signal,
    ownerId: payer.ownerId,
    jobId: payer.jobId,
    approved,
    hasReadForeign,
    onSent: () => {
      run.accepted = true
    },
    spent: (costUsd) => {
      run.accepted = true
      if (Number.isFinite(costUsd)) run.costUsd = costUsd
      else log.error({ tool: tool.id, costUsd: String(costUsd) }, 'a cost that is no number was not counted')
    },
  }
  try {
    stop.signal.throwIfAborted()
    run.result = (await Promise.race([tool.run(input, context), aborted(stop.signal)])) as Record<string, unknown>
    run.text = JSON.stringify(run.result)
  } catch (error) {
    run.error = error
  } finally {
    clearTimeout(timer)
    gone?.removeEventListener('abort', left)
    run.durationMs = Math.round(performance.now() - started)
    run.leftMs = budgetMs - run.durationMs
  }
  return run
}

const callerLeft = () => new AppError('conflict', 'The caller left.')

/** Gives a tool two seconds to end by itself after its signal, so that none can hold credits for ever. */
async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await sleep(2_000, undefined, { ref: false })
  throw signal.reason
}

/** Credits a call holds, and its caller's own hard cap; null: there is none. */
type Bounds = { held: bigint; cap: bigint | null }

/** What a run is charged, and what its caller is answered then. */
function judge({ tool, id, payer, idempotency }: ToolCall, run: Run, { held, cap }: Bounds): UnsettledToolCall {
  const hold = { id, ownerId: payer.ownerId, held }
  const error = run.left && run.error !== undefined && !run.accepted ? callerLeft() : run.error
  // Unavailable is this service itself: it delivered nothing, whatever the provider did.
  if (isAppError(error) && (error.code === 'unavailable' || (error.code !== 'upstream_error' && !run.accepted))) {
    const detail = { durationMs: run.durationMs, error: error.message }
    if (run.costUsd > 0) noteLoss(id, creditsForUsd(run.costUsd))
    const refuse = () => {
      throw error
    }
    return { kind: 'performed', settlement: { ...hold, actual: 0n, status: 'void', detail }, outcome: refuse }
  }
  const { CREDITS_PER_USD, MARKUP } = env()
  const fixed = tool.pricing.kind === 'fixed'
  const failure = error === undefined ? null : failureOf(tool, error)
  const cost = fixed ? (run.accepted || !failure ? held : 0n) : creditsForUsd(run.costUsd)
  const actual = cap !== null && cost > cap ? cap : cost
  if (actual < cost) noteLoss(id, cost - actual)
  const detail: ReceiptDetail = {
    durationMs: run.durationMs,
    ...(!fixed && { costUsd: run.costUsd, creditsPerUsd: CREDITS_PER_USD, markup: MARKUP }),
    ...(actual < cost && { loss: Number(cost - actual) }),
    ...(failure && { error: failure.message }),
  }
  const answer = failure
    ? {
        status: failure.status,
        body: JSON.stringify({
          error: failure.message,
          code: failure.code,
          retryAfter: failure.retryAfter,
          ...failure.detail,
        }),
      }
    : { status: 200, body: run.text ?? '{}' }
  const status = failure ? 'failed' : 'ok'
  const outcome = ({ charged, limit }: Settlement): ToolOutcome => {
    if (failure) throw failure.charged(Number(charged))
    if (limit) throw creditsExhausted(charged, limit)
    return { kind: 'ran', result: run.result ?? {}, charged: Number(charged) }
  }
  const patienceMs = Math.max(MIN_PATIENCE_MS, run.leftMs)
  const settlement = {
    ...hold,
    actual,
    extend: !fixed,
    patienceMs,
    status,
    detail,
    ...(idempotency && { answer }),
  } as const
  return { kind: 'performed', settlement, outcome }
}

/** What a call cost beyond its caller's charge is the operator's. */
function noteLoss(hold: string, credits: bigint): void {
  metrics().lost.inc(Number(credits))
  log.warn({ hold, credits: Number(credits) }, 'a call cost more than its caller is charged')
}

/** A failed run as its caller hears it. What we did not expect stays in the log. */
function failureOf(tool: AnyTool, error: unknown): AppError {
  if (isAppError(error)) return error.code === 'upstream_error' ? error : new AppError('upstream_error', error.message)
  log.error({ tool: tool.id, err: error instanceof Error ? error.stack : String(error) }, 'tool failed')
  return new AppError('upstream_error', `${tool.id} failed.`, { cause: error })
}
