import { memoize } from '../../kit/memoize'
import type { RunStep } from './state'
import { truncateMiddle } from './truncate-middle'

const NOT_MADE = 'This call was not made: the run had ended.'

/** Characters of one tool result that the model gets at most. */
const MAX_RESULT_CHARS = 24_000
/** Characters of all results of one model step, per token of the model's context. */
const RESULTS_SHARE = 0.6

/** Characters that each result of a model step with so many calls may have. */
export const charsPerResult = (contextSize: number, calls: number): number =>
  Math.min(MAX_RESULT_CHARS, Math.floor((contextSize * RESULTS_SHARE) / Math.max(1, calls)))

/** A step's result as text, made once for all later model steps. */
const textOf = memoize(({ output }: RunStep): string =>
  typeof output === 'string' ? output : JSON.stringify(output ?? null),
)

/** The content of a call's tool message. */
export function resultContent(step: RunStep | undefined, maxChars: number): string {
  if (!step) return NOT_MADE
  if (step.error) return truncateMiddle(`Error (${step.error.code}): ${step.error.message}`, maxChars)
  return truncateMiddle(textOf(step), maxChars)
}
