import { type AgentRun, stepsOfRun } from './state'

/** What finishing a stopped run would cost: the calls that its model expects, at its prices. */
export type ToFinish = { calls: number; from: number; to: number }

/** Model steps whose charge says what the next one costs: the prompt grows with every step. */
const LAST_STEPS = 3
const MAX_CALLS = 1_000

const LINE = /^[ \t>*_`#-]*calls left[ \t*_`:]*(\d{1,4})\b.*$/gim

/** A summary without the line in which its model says how many calls are still needed. */
export function readCallsLeft(text: string): { text: string; calls: number | null } {
  const found = [...text.matchAll(LINE)].at(-1)
  if (!found) return { text, calls: null }
  return { text: text.replace(LINE, '').trim(), calls: Math.min(MAX_CALLS, Number(found[1])) }
}

const average = (charges: readonly number[]): number =>
  charges.length === 0 ? 0 : charges.reduce((sum, one) => sum + one, 0) / charges.length

/**
 * What so many calls would cost more, all of them at once or one by one; null: nothing is left to
 * do, or nobody knows.
 */
export function costToFinish(run: AgentRun, calls: number | null): ToFinish | null {
  if (calls === null || calls === 0) return null
  const charges = (kind: 'model' | 'tool') =>
    stepsOfRun(run)
      .filter((step) => step.kind === kind && step.charged > 0)
      .map(({ charged }) => charged)
  const step = average(charges('model').slice(-LAST_STEPS))
  const tools = calls * average(charges('tool'))
  return { calls, from: Math.ceil(2 * step + tools), to: Math.ceil((calls + 1) * step + tools) }
}
