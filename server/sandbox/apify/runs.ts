import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fillTemplate } from '../kit/template'
import { type SimulatedActor, START_USD, simulatedActors } from './actors'
import shapes from './shapes.json'
import { findStoreActor } from './store'

/** `lastsMs`: how long it takes; `reads`: how often its object was given out since its end. */
type Run = ReturnType<typeof makeRun>

/** Runs by id, which follows from what was asked: the same call has the same answer. */
const runs = new LRUCache<string, Run>({ max: 500 })

type RunOptions = { maxItems: number; capUsd: number }

const makeRun = (actor: SimulatedActor, input: Record<string, unknown>, options: RunOptions) => ({
  id: hash('sha256', JSON.stringify([actor.id, input, options])).slice(0, 17),
  actor,
  input,
  ...options,
  begun: performance.now(),
  lastsMs: durationOf(actor, input),
  isAborted: false,
  reads: 0,
})

export function beginRun(actor: SimulatedActor, input: Record<string, unknown>, options: RunOptions) {
  const run = makeRun(actor, input, options)
  runs.set(run.id, run)
  return run
}

export const runOf = (id: string): Run | undefined => runs.get(id)
export const runOfDataset = (datasetId: string): Run | undefined => runs.get(datasetId.replace(/^ds/, ''))

/** Runs end at once, but those that never do and those of the slow actor: after 25 s by default. */
function durationOf({ kind }: SimulatedActor, { seconds }: Record<string, unknown>): number {
  if (kind === 'runaway' || kind === 'sleeper') return Number.POSITIVE_INFINITY
  return kind === 'slow' ? 1000 * (typeof seconds === 'number' ? seconds : 25) : 0
}

/** Milliseconds until a run ends by itself. */
export const restOf = (run: Run): number =>
  run.isAborted ? 0 : Math.max(0, run.begun + run.lastsMs - performance.now())
export const isRunning = (run: Run): boolean => restOf(run) > 0

function statusOf(run: Run): string {
  if (run.isAborted) return 'ABORTED'
  if (isRunning(run)) return 'RUNNING'
  return run.actor.kind === 'failing' ? 'FAILED' : 'SUCCEEDED'
}

const isPerEvent = (run: Run) => JSON.stringify(run.actor.pricing).includes('PAY_PER_EVENT')

/** As many items as there are, as the input asks for, and as the caps leave. */
export function itemCount(run: Run): number {
  const { actor, input, maxItems, capUsd } = run
  if (actor.kind === 'empty') return 0
  if (actor.kind === 'failing' || run.lastsMs === Number.POSITIVE_INFINITY) return 2
  const found = Math.min(actor.found, actor.limitOf(input) ?? actor.found)
  if (!isPerEvent(run)) return Math.min(found, actor.pricing === null ? found : maxItems)
  return Math.max(0, Math.min(found, Math.floor((capUsd - START_USD) / actor.itemUsd + 1e-9)))
}

function costOf(run: Run): number | null {
  const { kind } = run.actor
  const events = START_USD + itemCount(run) * run.actor.itemUsd
  if (kind === 'runaway') return (performance.now() - run.begun) / 1000
  if (kind === 'overrun') return run.capUsd * 3
  if (kind === 'no-bill' || (kind === 'late-bill' && run.reads < 2)) return null
  if (isPerEvent(run)) return Number(events.toFixed(6))
  // Of other people's actors paid by the result the cost is never reported.
  return run.actor.pricing === null ? 0.0123 : null
}

/** https://docs.apify.com/api/v2/actor-run-get */
export function runObject(run: Run) {
  const running = isRunning(run)
  const usageTotalUsd = costOf(run)
  if (!running) run.reads++
  const isFailing = run.actor.kind === 'failing'
  return fillTemplate<{ id: string }>(shapes.run, {
    id: run.id,
    actId: run.actor.id,
    finishedAt: running ? null : '2026-01-01T00:00:04.000Z',
    status: statusOf(run),
    statusMessage: isFailing ? 'The site is closed' : running ? null : `Found ${itemCount(run)} items`,
    isOver: !running,
    pricingInfo: run.actor.pricing ?? { pricingModel: 'FREE' },
    computeUnits: running ? 0 : 0.001,
    charged: isPerEvent(run) ? { start: 1, item: itemCount(run) } : null,
    maxItems: run.maxItems,
    exitCode: running ? null : Number(isFailing),
    usageTotalUsd,
  })
}

/** Which items of a run, and the address of the sandbox, where their pages are. */
type ItemsAsked = { offset: number; limit: number; withHidden: boolean; origin: string }

/** Items of a run from `offset`; fields that begin with # are hidden ones. */
export const itemsOf = (run: Run, { offset, limit, withHidden, origin }: ItemsAsked): object[] =>
  Array.from({ length: Math.max(0, Math.min(limit, itemCount(run) - offset)) }, (_, i) => ({
    ...run.actor.item(run.input, offset + i, origin),
    ...(withHidden && { '#debug': { requestId: `r${offset + i}` } }),
  }))

/** The actor of an id or `user~name`. */
export const actorOf = (id: string): SimulatedActor | null =>
  simulatedActors.find((actor) => actor.id === id || `tide~${actor.name}` === id) ?? findStoreActor(id)
