import { LRUCache } from 'lru-cache'
import { replyOfStep } from './reply-of-step'
import { type AgentRun, stepsOfRun } from './state'

/** Output tokens of a step whose run and model nothing is known of. */
const FIRST_OUTPUT = 1_024
const MIN_OUTPUT = 512
/** How much longer than the longest reply so far the next one may be before its hold is raised. */
const MARGIN = 1.5
/** Replies of a model that count. */
const LAST = 32

/** Output tokens of the last replies to runs of this process, by model. */
const recent = new LRUCache<string, number[]>({ max: 500 })

/** Counts a reply's output tokens for the runs of its model that come. */
export function noteOutput(model: string, tokens: number): void {
  recent.set(model, [...(recent.get(model) ?? []), tokens].slice(-LAST))
}

/**
 * Output tokens that the next reply of a run will hardly exceed: by the longest of the run, else by
 * most of its model's.
 */
export function expectedOutput(run: AgentRun): number {
  const own = stepsOfRun(run)
    .filter(({ kind }) => kind === 'model')
    .map((step) => replyOfStep(step).outputTokens)
  const others = (recent.get(run.model.id) ?? []).toSorted((a, b) => a - b)
  const known = own.length > 0 ? Math.max(...own) : others[Math.floor(others.length * 0.9)]
  return known === undefined ? FIRST_OUTPUT : Math.max(MIN_OUTPUT, Math.ceil(known * MARGIN))
}
