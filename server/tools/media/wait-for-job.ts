import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'

/** The status of a provider's job. `started`: the provider works on it, and will bill it. */
export type ProviderJobStatus<T> = { kind: 'running'; started: boolean; afterMs?: number } | { kind: 'done'; result: T }

/** One job at a provider. */
export type ProviderJob<T> = {
  /** The model's id, for messages. */
  model: string
  /**
   * Requests its status. Throws AppError when the job failed, UpstreamFailure when the request did.
   */
  poll: (context: ToolContext) => Promise<ProviderJobStatus<T>>
  /** Asks the provider to stop. True: it stopped before anything is billed. */
  cancel: (context: ToolContext) => Promise<boolean>
  /** USD it costs when the provider finishes it although nobody waits any more. */
  costUsd: number
}

export type JobTiming = {
  /** The tool's whole time budget. */
  budgetMs: number
  /** The part of the budget that is reserved for cancelling. */
  graceMs: number
  /** The first and the longest pause between two polls. */
  firstMs: number
  maxMs: number
}

/** A job is abandoned after this many failed polls in a row. */
const MAX_POLL_FAILURES = 3

/** Pauses grow by this factor. */
const GROWTH = 1.5

/** The tool's own limit: it has two seconds after its signal. */
const CANCEL_TIMEOUT_MS = 1_500

/**
 * Runs work that has to end a little before the tool's own time budget, so that it can still be
 * cancelled.
 */
export async function withTimeBudget<T>(
  context: ToolContext,
  { budgetMs, graceMs, model }: JobTiming & { model: string },
  work: (limited: ToolContext) => Promise<T>,
): Promise<T> {
  const late = new AppError('upstream_error', `${model} did not answer in time.`, { reason: 'timeout' })
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(late), budgetMs - graceMs)
  try {
    return await work({ ...context, signal: AbortSignal.any([context.signal, stop.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for a job, with growing pauses. When its time is up, or its status cannot be read, the job
 * is cancelled, and what the provider bills nevertheless is reported with `spent`. Throws
 * `upstream_error`.
 */
export async function waitForJob<T>(job: ProviderJob<T>, context: ToolContext, timing: JobTiming): Promise<T> {
  let started = false
  let pollFailures = 0
  for (let pauseMs = timing.firstMs; ; pauseMs = Math.min(timing.maxMs, pauseMs * GROWTH)) {
    let requestedMs = 0
    try {
      const status = await job.poll(context)
      if (status.kind === 'done') return status.result
      started = status.started
      pollFailures = 0
      requestedMs = Math.min(status.afterMs ?? 0, timing.maxMs)
    } catch (error) {
      if (context.signal.aborted) throw await abandon(job, context, { started, why: 'was not done in time' })
      if (!(error instanceof UpstreamFailure)) throw error
      pollFailures++
      log.warn({ model: job.model, err: error.message, pollFailures }, 'the status of a job could not be read')
      if (pollFailures === MAX_POLL_FAILURES) {
        throw await abandon(job, context, { started, why: 'did not report the status of its job' })
      }
    }
    try {
      await sleep(Math.max(pauseMs, requestedMs), undefined, { signal: context.signal })
    } catch {
      throw await abandon(job, context, { started, why: 'was not done in time' })
    }
  }
}

type Abandoned = { started: boolean; why: string }

async function abandon(
  job: ProviderJob<unknown>,
  context: ToolContext,
  { started, why }: Abandoned,
): Promise<AppError> {
  const limited: ToolContext = { ...context, signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) }
  const isFree = await job.cancel(limited).catch((error) => {
    log.warn({ model: job.model, err: String(error) }, 'a job could not be cancelled')
    return false
  })
  if (started && !isFree) context.spent(job.costUsd)
  return new AppError('upstream_error', `${job.model} ${why}. The job was cancelled.`)
}
