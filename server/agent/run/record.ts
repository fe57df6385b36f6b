import { endOfPart, isAddress, shareOut } from '../../kit/fit-json'
import { memoize } from '../../kit/memoize'
import { isRecord } from '../../kit/record'
import { replyOfStep } from './reply-of-step'
import { fitResult } from './result-fit'
import { resultText } from './result-text'
import { inOneOrder } from './result-trim'
import { type AgentRun, type RunStep, stepsOfRun } from './state'
import { wholeOf } from './tool-result'

/** The latest steps of a run that its record shows. */
const MAX_STEPS = 40
/** Characters of a call's parameters. */
const MAX_INPUT_CHARS = 120
/** A text in a row ends near this, so that more rows fit: the shorter where few would. */
const CELL_CHARS = [160, 60, 24] as const
/** With fewer characters than this a result is only named. */
const MIN_RESULT_CHARS = 60
/** Part of the record for the latest summary of the run: it has what mattered of all before it. */
const SUMMARY_SHARE = 0.5
/** What says where a list goes on, which a record does not. */
const POINTERS: ReadonlySet<string> = new Set(['after', 'before', 'nextCursor', 'continuationToken'])

/** What a step came to: a text, or a result whose rows can be cut. */
type Outcome = { label: string; text: string; value?: unknown }

const outcomeOf = memoize((step: RunStep): Outcome => {
  const { kind, name, input, error, output } = step
  const given = JSON.stringify(inOneOrder(input ?? {}))
  const called = `${name} ${given.length > MAX_INPUT_CHARS ? `${given.slice(0, MAX_INPUT_CHARS - 1).toWellFormed()}…` : given}`
  if (error) return { label: kind === 'tool' ? called : kind, text: `failed: ${error.message}` }
  if (kind === 'model') return { label: 'you wrote', text: replyOfStep(step).text.trim() }
  if (kind === 'summary') return { label: 'summary of all before', text: String((output as { text?: unknown }).text) }
  const value = shortCells(wholeOf(step).value, CELL_CHARS[0])
  return { label: called, text: resultText(value), value }
})

/** A result with the texts of its rows cut short, and without what says where it goes on. */
function shortCells(value: unknown, maxChars: number, isInRow = false): unknown {
  if (typeof value === 'string') {
    if (!isInRow || value.length <= maxChars || isAddress(value)) return value
    const end = endOfPart(value, maxChars)
    return end > 0 ? `${value.slice(0, end).trimEnd()}…` : undefined
  }
  if (Array.isArray(value)) return value.map((item) => shortCells(item, maxChars, value.length > 1))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([key]) => isInRow || !POINTERS.has(key))
  return Object.fromEntries(entries.map(([key, child]) => [key, shortCells(child, maxChars, isInRow)]))
}

/** Only calls: what was called says more. */
const saysNothing = ({ text }: Outcome): boolean => text.trim() === ''

/**
 * What a run did and found, within so many characters: what is small whole, the rest alike.
 * `begun`: its answer so far, which the model reads beside the record.
 */
export function recordOf(run: AgentRun, maxChars: number, begun = ''): string {
  const all = stepsOfRun(run)
    .filter(({ kind }) => begun === '' || kind !== 'model')
    .map((step) => ({ step, outcome: outcomeOf(step) }))
    .filter(({ outcome }) => !saysNothing(outcome))
  const summary = all.findLast(({ step }) => step.kind === 'summary' && !step.error)
  const shown = all.slice(-MAX_STEPS)
  if (summary && !shown.includes(summary)) shown.unshift(summary)
  if (shown.length === 0) return 'Nothing was done yet.'
  const heads = shown.map(({ step, outcome }) => `## step ${step.index}: ${outcome.label}\n`)
  const forTexts = maxChars - heads.reduce((sum, head) => sum + head.length + 1, 0)
  const first = summary ? Math.min(summary.outcome.text.length, Math.floor(forTexts * SUMMARY_SHARE)) : 0
  const rest = shown.filter((one) => one !== summary)
  const shares = shareOut(
    rest.map(({ outcome }) => outcome.text.length),
    Math.max(0, forTexts - first),
  )
  const charsOf = new Map(rest.map((one, i) => [one, shares[i] ?? 0]))
  return shown
    .map((one, i) => `${heads[i]}${fitOutcome(one.outcome, one === summary ? first : (charsOf.get(one) ?? 0))}`)
    .join('\n')
}

function fitOutcome({ text, value }: Outcome, maxChars: number): string {
  if (text.length <= maxChars) return text
  if (maxChars < MIN_RESULT_CHARS) return 'done'
  if (value === undefined) return `${text.slice(0, endOfPart(text, maxChars - 1)).trimEnd()}…`
  // All rows with less of each say more than some of them.
  for (const cellChars of CELL_CHARS.slice(1)) {
    const shorter = resultText(shortCells(value, cellChars))
    if (shorter.length <= maxChars) return shorter
  }
  const fitted = fitResult(value, maxChars)
  return fitted.isNothing ? 'done' : fitted.text
}
