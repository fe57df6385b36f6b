import { createHash } from 'node:crypto'
import { memoize } from '../../kit/memoize'
import { stableJson } from '../../kit/stable-json'
import type { RunStep } from './state'

/** From this many same calls with the same result on, the model reads that it repeats itself. */
const NOTED_AFTER = 3
/** So many of them in a row, with nothing new between, end the run. */
const ENDED_AFTER = 5

const callOf = memoize(({ name, input }: RunStep): string => `${name} ${stableJson(input)}`)
const resultOf = memoize(({ output, error }: RunStep): string =>
  createHash('sha256').update(stableJson({ output, error })).digest('base64'),
)

/** How often a run has made each of its calls with the result that it has. */
type Repetitions = {
  /** By the call's step index: how often this call with this result was made up to here. */
  counts: Map<number, number>
  /** A call that the run goes on making without learning anything new; null: no such call. */
  endless: RunStep | null
}

/**
 * Counts the calls of a run that are the same and have the same result, once for each model step
 * that makes them. `steps` are those of one run, in order.
 */
export function repetitionsIn(steps: readonly RunStep[]): Repetitions {
  const identify = identifier(steps)
  const total = new Map<string, number>()
  const counts = new Map<number, number>()
  let inRow = new Map<string, number>()
  let endless: RunStep | null = null
  for (const round of roundsOf(steps)) {
    const made = new Map(round.map((step) => [identify(step), step]))
    if ([...made.keys()].some((id) => !total.has(id))) inRow = new Map()
    for (const [id, step] of made) {
      total.set(id, (total.get(id) ?? 0) + 1)
      inRow.set(id, (inRow.get(id) ?? 0) + 1)
      if ((inRow.get(id) ?? 0) >= ENDED_AFTER) endless = step
    }
    for (const step of round) counts.set(step.index, total.get(identify(step)) ?? 1)
  }
  return { counts, endless }
}

/** Names a call with its result. Results are only read of calls that come more than once. */
function identifier(steps: readonly RunStep[]): (step: RunStep) => string {
  const times = new Map<string, number>()
  for (const step of steps) if (step.kind === 'tool') times.set(callOf(step), (times.get(callOf(step)) ?? 0) + 1)
  return (step) => {
    const call = callOf(step)
    return times.get(call) === 1 ? call : `${call}\n${resultOf(step)}`
  }
}

/** The tool calls of each model step. */
function roundsOf(steps: readonly RunStep[]): RunStep[][] {
  const rounds: RunStep[][] = []
  for (const step of steps) {
    if (step.kind === 'model') rounds.push([])
    else if (step.kind === 'tool') rounds.at(-1)?.push(step)
  }
  return rounds
}

/** What a tool message says of a call that was made so often; empty: nothing. */
export const repetitionNote = (count: number): string =>
  count < NOTED_AFTER
    ? ''
    : `\n\n[You have made this very call ${count} times, with the same result each time. Do not make it again: use what you have, try something else, or answer. After ${ENDED_AFTER} times the run is ended.]`

/** Why a run is ended that repeats itself; null: it does not. */
export function reasonToEndRepetition(steps: readonly RunStep[]): string | null {
  const { endless } = repetitionsIn(steps)
  if (!endless) return null
  return `The run was given up because it repeats itself: it called ${endless.name} ${ENDED_AFTER} times with the same arguments, and had the same result each time.`
}
