import { type JsonCut, shareOut } from '../../kit/fit-json'
import { formatPath } from '../../kit/json-path'
import { memoize } from '../../kit/memoize'
import { isRecord, type UnknownRecord } from '../../kit/record'
import { fitResult } from './result-fit'
import { resultText } from './result-text'
import { isFixedTable, trimResult } from './result-trim'
import type { AgentRun, RunStep } from './state'
import { truncateMiddle } from './truncate-middle'

export const RESULT_READ = 'result_read'

const NOT_MADE = 'This call was not made: the run had ended.'

/**
 * Characters of all results of one model step, per token of the model's context: in a small context
 * as much as fits, in a large one less, because every later model step pays for them again.
 */
const RESULTS_SHARE = 0.5
const LARGE_CONTEXT = { chars: 24_000, share: 0.2 }
/** So many characters a result has, however many come together: less would hardly say anything. */
const MIN_CHARS = 800
/** Characters of a list of rows whose columns are fixed: the rest is read on where it is needed. */
const LIST_CHARS = 6_800
/** What a note of a cut result may take of it. */
const NOTE_SHARE = 0.4
/** What the number of a step takes. */
const LABEL_CHARS = 24
/** Cuts that a note names. */
const MAX_CUTS = 3
/** A text of so many characters says the number of its step, as rows do: other tools take it. */
const NUMBERED_CHARS = 2_000

/** Characters that all results of a model step may have together. */
const charsOfAll = (contextSize: number): number =>
  Math.min(contextSize * RESULTS_SHARE, LARGE_CONTEXT.chars + contextSize * LARGE_CONTEXT.share)

/** Characters that each result of a model step with so many calls has at least. */
export const charsPerResult = (contextSize: number, calls: number): number =>
  Math.max(MIN_CHARS, Math.floor(charsOfAll(contextSize) / Math.max(1, calls)))

/** A result's text for its model, made once for all later model steps. */
type Shown = { maxChars: number; canStore: boolean; text: string }
const shownOf = memoize((_step: RunStep): { last: Shown | null } => ({ last: null }))

export type ResultLimits = {
  /** Characters that the result may have. */
  maxChars: number
  /** The run has tools that store a result as a dataset. */
  canStore: boolean
}

/** Characters of a result with the number of its step, counted once. */
const sizeOf = memoize((step: RunStep): number => {
  if (step.error) return step.error.message.length + LABEL_CHARS * 2
  const size = wholeOf(step).text.length + labelOf(step).length + 1
  return isList(step) ? Math.min(size, LIST_CHARS) : size
})

/** True for a result that is rows more than anything else. */
function isList(step: RunStep): boolean {
  return isFixedTable(step.name) && hasRows(wholeOf(step).value)
}

const isRows = (value: unknown): value is UnknownRecord[] =>
  Array.isArray(value) && value.length > 1 && value.every(isRecord)

const hasRows = (value: unknown): boolean => isRecord(value) && Object.values(value).some(isRows)

/** The name of a result's list of rows. */
const listOf = (value: unknown): string =>
  Object.entries(isRecord(value) ? value : {}).find(([, child]) => isRows(child))?.[0] ?? 'rows'

/** The limits of each result of a model step: what small ones do not need is for the large ones. */
export function resultLimits({ model, tools }: AgentRun, results: readonly (RunStep | undefined)[]): ResultLimits[] {
  const sizes = results.map((step) => (step ? sizeOf(step) : 0))
  const canStore = tools.some(({ id }) => id === 'dataset_create')
  return shareOut(sizes, charsOfAll(model.contextSize)).map((chars) => ({
    maxChars: Math.max(MIN_CHARS, chars),
    canStore,
  }))
}

const SMALLEST: ResultLimits = { maxChars: MIN_CHARS, canStore: false }

/** The content of a call's tool message. */
export function resultContent(step: RunStep | undefined, limits: ResultLimits = SMALLEST): string {
  if (!step) return NOT_MADE
  if (step.error) return truncateMiddle(`Error (${step.error.code}): ${step.error.message}`, limits.maxChars)
  const known = shownOf(step)
  if (known.last?.maxChars !== limits.maxChars || known.last.canStore !== limits.canStore)
    known.last = { ...limits, text: showResult(step, limits) }
  return known.last.text
}

/** A result as it is shown whole, made once. */
export const wholeOf = memoize((step: RunStep) => {
  const { value, left } = trimResult(sourceOf(step), step.output)
  return { value, left, text: resultText(value) }
})

/** The tool whose rows a result has. */
function sourceOf({ name, output }: RunStep): string {
  const { tool, rows } = (output ?? {}) as { tool?: unknown; rows?: unknown }
  return name === RESULT_READ && typeof tool === 'string' && Array.isArray(rows) ? tool : name
}

function showResult(step: RunStep, limits: ResultLimits): string {
  const { index } = step
  const { value, left, text } = wholeOf(step)
  if (left.length === 0 && text.length < Math.min(hasRows(value) ? 0 : NUMBERED_CHARS, limits.maxChars)) return text
  const label = labelOf(step)
  if (label.length + 1 + text.length <= limits.maxChars) return `${label}\n${text}`
  // What the note takes depends on what is cut, which depends on what the note takes.
  const first = fitResult(value, Math.floor(limits.maxChars * (1 - NOTE_SHARE)))
  const note = noteOf({ index, cuts: first.cuts, left }, limits)
  const second = fitResult(value, limits.maxChars - note.length - 1)
  const last = noteOf({ index, cuts: second.cuts, left }, limits)
  const { text: shown, isNothing } = last.length <= note.length ? second : first
  return `${last.length <= note.length ? last : note}${isNothing ? '' : `\n${shown}`}`
}

/** Columns that a note names. */
const MAX_LEFT = 4
const withoutText = (left: readonly string[]): string =>
  `without ${left.slice(0, MAX_LEFT).join(', ')}${left.length > MAX_LEFT ? ' and more' : ''}`

/** The number of a step, by which other tools find its result, and what was left out of it. */
function labelOf(step: RunStep): string {
  const { left, value } = wholeOf(step)
  if (left.length === 0) return `[step ${step.index}]`
  const read = JSON.stringify({ step: step.index, path: `${listOf(value)}.0` })
  return `[step ${step.index}, ${withoutText(left)}: ${RESULT_READ} ${read} shows all of an item]`
}

/** How all rows of a result are had without being read. */
function storeText(total: number, store: { fromStep: number; path: string }, isShort: boolean): string {
  const query = `Query all ${total} with SQL: dataset_create ${JSON.stringify(store)}`
  const file = `dataset_export {"fromStep":${store.fromStep},"sql":"SELECT … FROM rows"}`
  return isShort ? `${query}.` : `${query}; as a file of chosen columns: ${file}.`
}
/** A result of so many characters has a longer note. */
const LONG_NOTE_FROM = 2_000

/** Keys of a result are text by strangers too: a note repeats only those that say nothing else. */
const PLAIN_PATH = /^[\w.-]{0,100}$/

type CutResult = { index: number; cuts: readonly JsonCut[]; left: readonly string[] }

/** What was cut from a result, and how to read on. */
function noteOf({ index, cuts, left }: CutResult, { canStore, maxChars }: ResultLimits): string {
  const plain = cuts.filter(({ path }) => PLAIN_PATH.test(formatPath(path)))
  const largest = plain.toSorted((a, b) => b.total - b.shown - (a.total - a.shown))
  const list = plain.find(({ kind }) => kind === 'items')
  const named = [...new Set([...(list ? [list] : []), ...largest])].slice(0, MAX_CUTS)
  const parts = named.map(({ path, kind, shown, total }) => {
    const of = path.length > 0 ? `${formatPath(path)}: ` : ''
    return `${of}${kind === 'keys' ? '' : 'the first '}${shown} of ${total} ${kind}`
  })
  if (cuts.length > named.length) parts.push(`${cuts.length - named.length} parts inside`)
  if (left.length > 0) parts.push(withoutText(left))
  const [next] = named
  const path = next && next.path.length > 0 ? { path: formatPath(next.path) } : {}
  const read = { step: index, ...path, ...(next && next.kind !== 'keys' && { offset: next.shown }) }
  const store = list && { fromStep: index, path: formatPath(list.path) }
  return [
    `[step ${index}, cut: ${parts.join('; ') || 'all of it'}.`,
    `Read on for free with ${RESULT_READ} ${JSON.stringify(read)}.`,
    ...(store && canStore ? [storeText(list.total, store, maxChars < LONG_NOTE_FROM)] : []),
  ]
    .join(' ')
    .concat(']')
}
