import { z } from 'zod'
import { invalidRequest } from '../../errors'
import { findMainList, findMainPart, valueAt } from '../../kit/json-path'
import { isRecord } from '../../kit/record'
import type { ToolContext } from '../../tools/define'
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
 * The table in an input. Throws `invalid_request` unless it has exactly one of `rows`, `csv` and
 * `fromStep`, and for a step without rows.
 */
export function givenTable(
  { rows, csv, fromStep, path, textFormat }: GivenRows & { csv?: string | undefined },
  context: Pick<ToolContext, 'earlierOutput'>,
): TableInput {
  if ([rows, csv, fromStep].filter((given) => given !== undefined).length !== 1)
    throw refuse('rows', 'Give exactly one of rows, csv (only dataset_create) and fromStep')
  if (rows) return { rows }
  if (csv !== undefined) return { csv }
  const { earlierOutput } = context
  if (!earlierOutput) throw refuse('fromStep', 'there are no earlier steps')
  const steps = [fromStep ?? []].flat()
  const found = steps.map((step) => rowsIn(earlierOutput(step), { step, path }))
  if (textFormat === 'csv' && found.every((value) => typeof value === 'string')) return { csv: joinCsv(found) }
  const items = found.flatMap(itemsOf)
  if (items.length === 0) throw refuse('fromStep', 'the list there is empty')
  return { items }
}

const refuse = (parameter: string, message: string) => invalidRequest([{ path: [parameter], message }])

/** What holds the rows in a step's result: a list, an object or a text. */
function rowsIn(output: unknown, { step, path }: { step: number; path: string | undefined }): unknown {
  const value = path === undefined ? (findMainList(output)?.list ?? findMainPart(output).value) : valueAt(output, path)
  if (Array.isArray(value) || typeof value === 'string' || isRecord(value)) return value
  const keys = isRecord(output) ? Object.keys(output).slice(0, 30).join(', ') : ''
  throw refuse(
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

/** CSV of several steps as one: a header line that repeats the first one is dropped. */
function joinCsv(texts: readonly unknown[]): string {
  const [first = '', ...rest] = texts.map((text) => String(text).trim())
  const header = first.split('\n')[0]
  return [
    first,
    ...rest.map((text) => (text.split('\n')[0] === header ? text.split('\n').slice(1).join('\n') : text)),
  ].join('\n')
}
