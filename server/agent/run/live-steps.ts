import { uuidv7 } from '../../kit/id'
import { log } from '../../kit/log'
import type { StepKind } from '../shape'
import type { Claim } from './commit-batch'
import { type LiveWrite, readWatched, removeLive, writeLive } from './live-writes'
import type { ModelDelta, OnModelDelta } from './model-reply'

/** How often the jobs of this process are compared with those that somebody watches. */
const LOOK_MS = 1_000
/** How often what is new about watched ones is written. */
const WRITE_MS = 300
/** How long an unavailable database is left alone. */
const REST_MS = 2_000
/** A larger input is not shown while its step is in progress. */
const MAX_INPUT = 4_000

type LiveStep = {
  head: Omit<LiveWrite, 'texts'>
  texts: LiveWrite['texts']
  /** Texts before this one were sent to the database and get nothing appended. -1: nothing was. */
  sent: number
  /** Texts before this one are known to be written. -1: not even the head is. */
  written: number
}

/** The steps in progress in this process, by job and index. */
const live = new Map<string, LiveStep>()
/** Attempts that have ended, whose rows are to be deleted. */
let ended: string[] = []
let watched: ReadonlySet<string> = new Set()
let lookedAt = Number.NEGATIVE_INFINITY
let isTicking = false

const keyOf = (jobId: string, index: number) => `${jobId} ${index}`

type Begun = { index: number; kind: StepKind; name: string; input?: unknown; note?: string; startedAt: Date }

/**
 * Remembers a step in progress, for whoever watches its job. Returns what takes a model's reply as
 * it comes. Nothing is written unless the job is watched. A step that begins again replaces itself.
 */
export function beginLiveStep({ jobId, runId, fencingToken }: Claim, begun: Begun): OnModelDelta {
  const { index, kind, name, input, note = null, startedAt } = begun
  endLiveStep(jobId, index)
  const of = { job: jobId, run: runId, fencingToken, index, attempt: uuidv7() }
  const head = { ...of, kind, name, input, note, startedAt }
  const step: LiveStep = { head, texts: [], sent: -1, written: -1 }
  live.set(keyOf(jobId, index), step)
  if (!isTicking) tickAfter(WRITE_MS)
  return (delta) => append(step, delta)
}

function append({ texts, sent }: LiveStep, { kind, name, text }: ModelDelta): void {
  const last = texts.length > sent ? texts.at(-1) : undefined
  if (last && last.kind === kind && last.name === name) last.text += text
  else texts.push({ part: texts.length, kind, name, text })
}

/** Forgets a step that was committed or given up. */
export function endLiveStep(jobId: string, index: number): void {
  const step = live.get(keyOf(jobId, index))
  if (step && step.sent >= 0) ended.push(step.head.attempt)
  live.delete(keyOf(jobId, index))
}

/** Forgets the steps of a run that this process no longer continues. */
export function endLiveSteps({ jobId, runId }: Claim): void {
  for (const { head } of live.values()) if (head.job === jobId && head.run === runId) endLiveStep(jobId, head.index)
}

function tickAfter(ms: number): void {
  isTicking = true
  setTimeout(() => void tick(), ms).unref()
}

async function tick(): Promise<void> {
  let isAway = false
  try {
    await look()
    await writeNews()
    await removeEnded()
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'steps in progress are not shown')
    isAway = true
  }
  const waitMs = isAway ? REST_MS : watched.size > 0 ? WRITE_MS : LOOK_MS
  isTicking = false
  if (live.size > 0 || ended.length > 0) tickAfter(waitMs)
}

async function look(): Promise<void> {
  if (live.size === 0 || performance.now() - lookedAt < LOOK_MS) return
  lookedAt = performance.now()
  watched = await readWatched([...new Set([...live.values()].map(({ head }) => head.job))])
}

async function writeNews(): Promise<void> {
  const news = [...live.values()].filter(({ head, texts, written }) => watched.has(head.job) && texts.length > written)
  if (news.length === 0) return
  const writes = news.map(({ head, texts, written }) => {
    return { ...head, input: smallInput(head.input), texts: texts.slice(Math.max(written, 0)) }
  })
  const counts = news.map((step) => {
    step.sent = step.texts.length
    return step.sent
  })
  await writeLive(writes)
  for (const [at, step] of news.entries()) step.written = counts[at] ?? 0
}

const smallInput = (input: unknown) => (JSON.stringify(input ?? null).length <= MAX_INPUT ? input : null)

async function removeEnded(): Promise<void> {
  if (ended.length === 0) return
  const attempts = [...ended]
  await removeLive(attempts)
  ended = ended.filter((attempt) => !attempts.includes(attempt))
}
