import { type AgentRun, stepsOfRun } from './state'
import { MAX_CALLS } from './step-messages'

/** What finishing a stopped run would cost: the calls that its model expects, at its prices. */
export type ToFinish = { calls: number; from: number; to: number }

/** Model steps whose charge says what the next one costs: the prompt grows with every step. */
const LAST_STEPS = 3
const MAX_CALLS_LEFT = 1_000

const LINE = /^[ \t>*_`#-]*calls left[ \t*_`:]*(\d{1,4})\b.*$/gim

/** A summary without the line in which its model says how many calls are still needed. */
export function readCallsLeft(text: string): { text: string; calls: number | null } {
  const found = [...text.matchAll(LINE)].at(-1)
  if (!found) return { text, calls: null }
  return { text: text.replace(LINE, '').trim(), calls: Math.min(MAX_CALLS_LEFT, Number(found[1])) }
}

const average = (charges: readonly number[]): number =>
  charges.length === 0 ? 0 : charges.reduce((sum, one) => sum + one, 0) / charges.length

/**
 * What so many calls would cost more: as many at once as the run made so far, and one by one at
 * most; null: nothing is left to do, or nobody knows.
 */
export function costToFinish(run: AgentRun, calls: number | null): ToFinish | null {
  if (calls === null || calls === 0) return null
  const steps = stepsOfRun(run)
  const charges = (kind: 'model' | 'tool') =>
    steps.filter((step) => step.kind === kind && step.charged > 0).map(({ charged }) => charged)
  const made = steps.filter(({ kind }) => kind === 'tool').length
  const asking = new Set(steps.flatMap(({ kind, index }) => (kind === 'tool' ? [askedBy(steps, index)] : []))).size
  const atOnce = Math.max(1, made / Math.max(1, asking))
  const step = average(charges('model').slice(-LAST_STEPS))
  const tools = calls * average(charges('tool'))
  const messages = (each: number) => Math.ceil(calls / each) + 1
  const from = Math.ceil(messages(MAX_CALLS) * step + tools)
  return { calls, from, to: Math.max(from, Math.ceil(messages(atOnce) * step + tools)) }
}

/** The index of the model step that made a call. */
const askedBy = (steps: AgentRun['steps'], call: number): number | undefined =>
  steps.findLast(({ kind, index }) => kind === 'model' && index < call)?.index
