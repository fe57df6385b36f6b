import { setTimeout as sleep } from 'node:timers/promises'
import type { Held } from '../credits/plan'
import { AppError } from '../errors'
import { log } from '../kit/log'
import type { ToolCall } from './call'
import type { ToolContext } from './define'

const DEFAULT_TIMEOUT_MS = 60_000

/** Time for a tool to stop by itself after its signal; then its hold is settled without it. */
const GRACE_MS = 2_000

/**
 * What became of a run: its result or its error, what it cost, and whether the provider got the
 * request.
 */
export type FinishedRun = {
  result?: Record<string, unknown>
  /** The result as JSON. */
  text?: string
  error?: unknown
  /** The provider has the request: a failure is charged. */
  sent: boolean
  /** The client disconnected before the provider had the request. */
  disconnected: boolean
  costUsd: number
  durationMs: number
  /** Rest of the time budget. */
  leftMs: number
}

/**
 * Runs a tool within its time budget, once its credits are held. Never throws: an error is part of
 * what is returned.
 */
export async function runWithinBudget(
  { tool, id, payer, callerSignal, approved, run: runIds, hasReadUntrusted, earlierOutput }: ToolCall,
  input: never,
  _held: Held,
): Promise<FinishedRun> {
  const started = performance.now()
  const budgetMs = typeof tool.timeoutMs === 'function' ? tool.timeoutMs(input) : (tool.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const stop = new AbortController()
  const timedOut = () =>
    stop.abort(
      new AppError('upstream_error', `${tool.id} timed out after ${budgetMs / 1000} s.`, { reason: 'timeout' }),
    )
  const timer = setTimeout(timedOut, budgetMs)
  const run: FinishedRun = { sent: false, disconnected: false, costUsd: 0, durationMs: 0, leftMs: budgetMs }
  const disconnected = () => {
    if (run.sent) return
    run.disconnected = true
    stop.abort(clientDisconnected())
  }
  callerSignal?.addEventListener('abort', disconnected, { once: true })
  if (callerSignal?.aborted) disconnected()

  const context: ToolContext = {
    signal: stop.signal,
    requestId: id,
    ownerId: payer.ownerId,
    jobId: payer.jobId,
    run: runIds,
    approved,
    hasReadUntrusted,
    earlierOutput,
    onSent: () => {
      run.sent = true
    },
    spent: (costUsd) => {
      run.sent = true
      if (Number.isFinite(costUsd)) run.costUsd = costUsd
      else
        log.error({ tool: tool.id, requestId: id, costUsd: String(costUsd) }, 'a cost that is not a number was ignored')
    },
  }
  try {
    stop.signal.throwIfAborted()
    run.result = (await Promise.race([tool.run(input, context), abortedFor(stop.signal)])) as Record<string, unknown>
    run.text = JSON.stringify(run.result)
  } catch (error) {
    run.error = error
  } finally {
    clearTimeout(timer)
    callerSignal?.removeEventListener('abort', disconnected)
    run.durationMs = Math.round(performance.now() - started)
    run.leftMs = budgetMs - run.durationMs
  }
  return run
}

export const clientDisconnected = () =>
  new AppError('conflict', 'The client disconnected.', { reason: 'client_disconnected' })

/** Rejects a while after a signal aborted, so that no tool can hold credits without end. */
async function abortedFor(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await sleep(GRACE_MS, undefined, { ref: false })
  throw signal.reason
}
