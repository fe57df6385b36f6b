import { z } from 'zod'
import { invalidParameter } from '../../errors'
import { findMainList, findMainPart, valueAt } from '../../kit/json-path'
import { isRecord } from '../../kit/record'
import type { ToolContext } from '../../tools/define'
import type { ParseOptions } from '../../tools/parse'
import { podPathParam } from '../pod/path'
import { requirePodTask } from '../pod/pod-pool'
import { loadPod, podOwner } from '../pod/store'
import type { TableInput } from './dataset-tasks'
import { RowsInput } from './shape'

const MAX_STEPS = 100

/** The parameters that give rows: as they are, or from the results of earlier steps. */
export const GIVEN_ROWS = {
  rows: RowsInput.optional().describe('Rows as objects; their keys become columns'),
  fromStep: z
    .union([z.int().min(0), z.array(z.int().min(0)).min(1).max(MAX_STEPS)])
    .optional()
    .describe(
      'Instead of rows: the number of an earlier step, or of several. All rows of their results are copied, also those ' +
        'that you were not shown; nothing has to be written out',
    ),
  fromFile: podPathParam
    .optional()
    .describe('Instead of rows: a file of the shell (pod_run) as CSV with a header line, JSON or JSON lines'),
  path: z
    .string()
    .max(1_000)
    .optional()
    .describe('With fromStep: where the rows are in the result, such as rows or segments; omitted: its main list'),
  textFormat: z
    .enum(['lines', 'csv'])
    .optional()
    .describe('With fromStep, where a text is copied: a row for each line (the default), or CSV with a header line'),
}

type GivenRows = z.output<z.ZodObject<typeof GIVEN_ROWS>>

/**
 * The table in an input. Throws `invalid_request` unless it has exactly one of `rows`, `csv`,
 * `fromStep` and `fromFile`, and for a step or a file without rows.
 */
export async function givenTable(
  { rows, csv, fromStep, fromFile, path, textFormat }: GivenRows & { csv?: string | undefined },
  context: Pick<ToolContext, 'earlierOutput'> & Parameters<typeof podOwner>[0] & ParseOptions,
): Promise<TableInput> {
  if ([rows, csv, fromStep, fromFile].filter((given) => given !== undefined).length !== 1)
    throw invalidParameter('rows', 'Give exactly one of rows, csv (only dataset_create), fromStep and fromFile')
  if (rows) return { rows }
  if (csv !== undefined) return { csv }
  if (fromFile !== undefined) return tableOfFile(fromFile, context)
  const { earlierOutput } = context
  if (!earlierOutput) throw invalidParameter('fromStep', 'there are no earlier steps')
  const steps = [fromStep ?? []].flat()
  const found = steps.map((step) => rowsIn(earlierOutput(step), { step, path }))
  if (textFormat === 'csv' && found.every((value) => typeof value === 'string')) return { csv: joinCsv(found) }
  const items = found.flatMap(itemsOf)
  if (items.length === 0) throw invalidParameter('fromStep', 'the list there is empty')
  return { items }
}

/** What holds the rows in a step's result: a list, an object or a text. */
function rowsIn(output: unknown, { step, path }: { step: number; path: string | undefined }): unknown {
  const value = path === undefined ? (findMainList(output)?.list ?? findMainPart(output).value) : valueAt(output, path)
  if (Array.isArray(value) || typeof value === 'string' || isRecord(value)) return value
  const keys = isRecord(output) ? Object.keys(output).slice(0, 30).join(', ') : ''
  throw invalidParameter(
    'path',
    `there are no rows at "${path ?? ''}" in the result of step ${step}${keys && `, which has: ${keys}`}`,
  )
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  return parseList(value) ?? value.split('\n').map((text, i) => ({ line: i + 1, text }))
}

/** The items of a JSON list that is written out as text; null for any other text. */
function parseList(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

async function tableOfFile(given: string, caller: Parameters<typeof podOwner>[0] & ParseOptions): Promise<TableInput> {
  const [file, ...more] = await requirePodTask(
    { kind: 'collect', folder: given },
    await loadPod(podOwner(caller)),
    caller,
  )
  if (!file || more.length > 0) throw invalidParameter('fromFile', `${given} is a folder: give one file`)
  const text = file.content?.replace(/^\uFEFF/, '')
  if (text === undefined)
    throw invalidParameter('fromFile', `${given} is not text: make a CSV of it first, with pod_run`)
  const items = parseList(text) ?? parseLines(text)
  if (!items) return { csv: text }
  if (items.length === 0) throw invalidParameter('fromFile', `the list in ${given} is empty`)
  return { items }
}

/** The objects of a text that has one in each line; null for any other text. */
function parseLines(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line): unknown => JSON.parse(line))
  } catch {
    return null
  }
}

/** CSV of several steps as one: a header line that repeats the first one is dropped. */
function joinCsv(texts: readonly unknown[]): string {
  const [first = '', ...rest] = texts.map((text) => String(text).trim())
  const header = first.split('\n')[0]
  return [
    first,
    ...rest.map((text) => (text.split('\n')[0] === header ? text.split('\n').slice(1).join('\n') : text)),
  ].join('\n')
}
