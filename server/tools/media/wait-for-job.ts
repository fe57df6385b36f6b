import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'

/** How a vendor's job stands. `started`: it is being worked on, so that the vendor will bill it. */
export type ProviderJobStatus<T> = { kind: 'running'; started: boolean; afterMs?: number } | { kind: 'done'; result: T }

/** One job at a vendor. */
export type ProviderJob<T> = {
  /** How messages name who does it. */
  model: string
  /** Asks how it stands. Throws AppError when it failed for good, UpstreamFailure when the question did. */
  look: (context: ToolContext) => Promise<ProviderJobStatus<T>>
  /** Asks the vendor to stop. True: it stopped before anything is billed. */
  cancel: (context: ToolContext) => Promise<boolean>
  /** USD it costs when it goes on to its end without us. */
  costUsd: number
}

export type JobTiming = {
  /** The tool's whole time budget, and what of it is kept for ending things properly. */
  budgetMs: number
  graceMs: number
  /** The first and the longest pause between two looks. */
  firstMs: number
  mostMs: number
}

/** A job is given up after so many questions in a row without an answer. */
const MOST_SILENCES = 3

/** Pauses grow by this. */
const GROWTH = 1.5

/**
 * Runs what has to be over a little before the tool's own time is, so that it can be ended properly. Being late is
 * told in words.
 */
export async function withTimeBudget<T>(
  context: ToolContext,
  { budgetMs, graceMs, model }: JobTiming & { model: string },
  work: (timely: ToolContext) => Promise<T>,
): Promise<T> {
  const late = new AppError('upstream_error', `${model} did not answer in time.`)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(late), budgetMs - graceMs)
  try {
    return await work({ ...context, signal: AbortSignal.any([context.signal, stop.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for a job, with growing pauses. When its time is up, or the vendor falls silent, the job is cancelled, and what
 * the vendor bills all the same is told as spent. Throws `upstream_error`.
 */
export async function waitForJob<T>(job: ProviderJob<T>, context: ToolContext, times: JobTiming): Promise<T> {
  let started = false
  let silences = 0
  for (let pauseMs = times.firstMs; ; pauseMs = Math.min(times.mostMs, pauseMs * GROWTH)) {
    let askedMs = 0
    try {
      const standing = await job.look(context)
      if (standing.kind === 'done') return standing.result
      started = standing.started
      silences = 0
      askedMs = Math.min(standing.afterMs ?? 0, times.mostMs)
    } catch (error) {
      if (context.signal.aborted) throw await giveUp(job, context, { started, why: 'was not done in time' })
      if (!(error instanceof UpstreamFailure)) throw error
      silences++
      log.warn({ model: job.model, err: error.message, silences }, 'a job did not tell how it stands')
      if (silences === MOST_SILENCES) {
        throw await giveUp(job, context, { started, why: 'did not tell how its work stands' })
      }
    }
    try {
      await sleep(Math.max(pauseMs, askedMs), undefined, { signal: context.signal })
    } catch {
      throw await giveUp(job, context, { started, why: 'was not done in time' })
    }
  }
}

type GivenUp = { started: boolean; why: string }

async function giveUp(job: ProviderJob<unknown>, context: ToolContext, { started, why }: GivenUp): Promise<AppError> {
  // The kernel gives a tool two seconds after its signal.
  const last: ToolContext = { ...context, signal: AbortSignal.timeout(1_500) }
  const isFree = await job.cancel(last).catch((error) => {
    log.warn({ model: job.model, err: String(error) }, 'a job could not be cancelled')
    return false
  })
  const willBill = started && !isFree
  if (willBill) context.spent(job.costUsd)
  return new AppError('upstream_error', `${job.model} ${why}. The job was given up.`)
}
