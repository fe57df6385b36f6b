import { z } from 'zod'
import { AppError } from '../../errors'
import { endOfPart, fitJson, type JsonCut } from '../../kit/fit-json'
import { findMainPart, formatPath, type JsonPath, valueAt } from '../../kit/json-path'
import { isRecord } from '../../kit/record'
import { inputJsonSchema } from '../../tools/params'
import type { FunctionTool } from './builtin-tools'
import { earlierResult } from './earlier-results'
import { searchList, searchText } from './result-search'
import { resultText } from './result-text'
import { inOneOrder, trimResult } from './result-trim'
import { type AgentRun, lastModelStep, type RunStep } from './state'
import type { StepOutcome } from './step-draft'
import { failedCall } from './tool-access'
import { charsPerResult, RESULT_READ } from './tool-result'

/** Characters of an answer besides what was read. */
const FRAME_CHARS = 400
/** Cuts inside of items that an answer names. */
const MAX_CUTS = 5
const MIN_CHARS = 400
/** Characters of the items of a list that one call reads. */
const MAX_LIST_CHARS = 14_000

const Params = z.strictObject({
  step: z.int().min(0).describe('Number of the step whose result to read, such as 7'),
  path: z
    .string()
    .max(1_000)
    .optional()
    .describe('What to read in it, such as rows, rows.17.description or markdown; omitted: its main list or text'),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe('First item of a list, first key of an object, or first character of a text'),
  limit: z.int().min(1).optional().describe('Most items, keys or characters; omitted: as many as fit'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('Only items that contain this text, or the places of a text that do; upper and lower case are the same'),
})
type ReadRequest = z.output<typeof Params>

/** The function that reads on in a result, which costs nothing. */
export const RESULT_READ_TOOL: FunctionTool = {
  type: 'function',
  function: {
    name: RESULT_READ,
    description:
      'Reads the result of an earlier step of this conversation, for free: the items of a list or the characters of a ' +
      'text from an offset on, or those that contain a text. For results that were cut, instead of calling the tool again.',
    parameters: inputJsonSchema(Params),
  },
}

/** What a call of `result_read` reads: whole items, as many as the model is shown of a result. */
export function readResult(run: AgentRun, given: Record<string, unknown>): StepOutcome {
  const parsed = Params.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return failedCall('invalid_request', `${issue?.path.join('.') || 'The arguments'}: ${issue?.message}`)
  }
  try {
    const { data } = parsed
    const step = earlierResult(run, data.step, 'step')
    return { output: readFrom({ ...step, output: inOneOrder(step.output) }, data, maxCharsOf(run)) }
  } catch (error) {
    if (error instanceof AppError) return failedCall(error.code, error.message)
    throw error
  }
}

function maxCharsOf(run: AgentRun): number {
  const calls = lastModelStep(run)?.output.calls.length ?? 1
  return Math.max(MIN_CHARS, charsPerResult(run.model.contextSize, calls) - FRAME_CHARS)
}

type Part = { path: JsonPath | string; value: unknown }

function partOf({ output }: RunStep, { step, path }: ReadRequest): Part {
  if (path === undefined) return findMainPart(output)
  const value = valueAt(output, path)
  if (value !== undefined) return { path, value }
  const keys = typeof output === 'object' && output !== null ? Object.keys(output).slice(0, 30).join(', ') : ''
  const has = keys === '' ? 'It is a text: leave the path out' : `It has: ${keys}`
  throw new AppError('invalid_request', `path: there is no "${path}" in the result of step ${step}. ${has}.`)
}

function readFrom(step: RunStep, request: ReadRequest, maxChars: number): Record<string, unknown> {
  const { path: parts, value } = partOf(step, request)
  const path = typeof parts === 'string' ? parts : formatPath(parts)
  const { cuts = [], ...read } = readPart(step.name, value, { request, maxChars })
  const cut = cuts
    .filter((one) => one.path.length > 0)
    .slice(0, MAX_CUTS)
    .map((one) => ({
      path: formatPath([...(path === '' ? [] : [path]), ...one.path]),
      shown: one.shown,
      total: one.total,
    }))
  return { step: step.index, tool: step.name, path, ...read, ...(cut.length > 0 && { cut }) }
}

/** How often a list is cut anew until what the model is shown of it fits. */
const MAX_ATTEMPTS = 6

/** The first items of a list whose table has at most so many characters. */
function fitTable(toolId: string, list: readonly unknown[], maxChars: number) {
  const sizeOf = (rows: unknown) => resultText(trimResult(toolId, { rows }).value).length
  let jsonChars = (maxChars * JSON.stringify(list).length) / Math.max(1, sizeOf(list))
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const fitted = fitJson(list, Math.floor(jsonChars))
    const chars = sizeOf(fitted.value)
    if (chars <= maxChars) return fitted
    jsonChars *= (maxChars / chars) * 0.95
  }
  return fitJson(list, maxChars)
}

type ReadPart = Record<string, unknown> & { cuts?: JsonCut[] }

type Reading = { request: ReadRequest; maxChars: number }

function readPart(toolId: string, value: unknown, { request, maxChars }: Reading): ReadPart {
  const { search } = request
  if (Array.isArray(value))
    return search ? searchList(value, { ...request, search }, maxChars) : readList(toolId, value, { request, maxChars })
  if (search) {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
    return searchText(text, { ...request, search }, maxChars)
  }
  if (typeof value === 'string') return readText(value, request, maxChars)
  return isRecord(value) ? readKeys(value, request, maxChars) : { value }
}

const nextAfter = (end: number, total: number): number | null => (end < total ? end : null)

function readKeys(
  value: Record<string, unknown>,
  { offset, limit = Number.MAX_SAFE_INTEGER }: ReadRequest,
  maxChars: number,
): ReadPart {
  const entries = Object.entries(value)
  const fitted = fitJson(Object.fromEntries(entries.slice(offset, offset + limit)), maxChars)
  const { value: shown, cuts } = { ...fitted, value: fitted.value ?? {} }
  // Keys that say little may be left out between others: what comes after them is read then.
  const missing = entries.findIndex(([key], at) => at >= offset && !Object.hasOwn(shown, key))
  const end = missing > offset ? missing : Math.min(entries.length, offset + Math.max(1, Object.keys(shown).length))
  return { offset, total: entries.length, nextOffset: nextAfter(end, entries.length), value: shown, cuts }
}

function readList(toolId: string, list: readonly unknown[], { request, maxChars }: Reading): ReadPart {
  const { offset, limit = list.length } = request
  const { value, cuts } = fitTable(toolId, list.slice(offset, offset + limit), Math.min(maxChars, MAX_LIST_CHARS))
  const rows = (value ?? []) as unknown[]
  // Paths as another call takes them.
  const inside = cuts.flatMap(({ path: [at, ...rest], ...cut }): JsonCut[] =>
    at === undefined ? [] : [{ ...cut, path: [Number(at) + offset, ...rest] }],
  )
  const nextOffset = nextAfter(offset + rows.length, list.length)
  return { offset, total: list.length, nextOffset, rows, cuts: inside }
}

function readText(text: string, { offset, limit = text.length }: ReadRequest, maxChars: number): ReadPart {
  const from = text.slice(offset, offset + limit)
  let end = endOfPart(from, maxChars)
  // Line ends and quotes take more characters as JSON.
  while (end > 1 && JSON.stringify(from.slice(0, end)).length > maxChars)
    end = endOfPart(from, Math.floor((end * maxChars * 0.98) / JSON.stringify(from.slice(0, end)).length))
  return { offset, total: text.length, nextOffset: nextAfter(offset + end, text.length), text: from.slice(0, end) }
}
