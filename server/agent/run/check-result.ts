import { isDeepStrictEqual } from 'node:util'
import { queryDatasets } from '../../agent-tools/data/query-datasets'
import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { Check } from '../checks/shape'
import type { CheckOutcome } from '../checks/stored'
import type { AgentRun } from './state'
import type { EndTransition } from './transition'

/** Characters of a value that a reason quotes. */
const MAX_QUOTED_CHARS = 200

type Tested = Exclude<Check, { kind: 'judge' }>
type OfKind<K extends Check['kind']> = Extract<Check, { kind: K }>

const outcome = (verdict: CheckOutcome['verdict'], reason: string | null): CheckOutcome => ({
  verdict,
  reason,
  creditsCharged: 0,
  requestId: null,
})

/** Of what was found, and why it did not pass. */
const found = (isPassed: boolean, reason: string): CheckOutcome =>
  isPassed ? outcome('passed', null) : outcome('failed', reason)

/** An outcome of a check that could not be tested. */
export const untestable = (reason: string): CheckOutcome => outcome('error', reason)

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : text
}

/**
 * Tests the result of a run with a check that costs nothing. Throws `unavailable` while too many
 * queries wait.
 */
export async function testResult(run: AgentRun, check: Tested, end: EndTransition): Promise<CheckOutcome> {
  switch (check.kind) {
    case 'equals':
      return testEquals(run, check, end)
    case 'contains':
      return found(end.result.toLowerCase().includes(check.text.toLowerCase()), 'The result does not contain it.')
    case 'sql':
      return testQuery(run, check)
    default:
      return check satisfies never
  }
}

function testEquals({ outputSchema }: AgentRun, { value, path = '' }: OfKind<'equals'>, end: EndTransition) {
  if (outputSchema === null) {
    const text = end.result.trim()
    return found(
      typeof value === 'string' ? text === value.trim() : text === JSON.stringify(value),
      `It is ${quote(text)}.`,
    )
  }
  if (!('value' in end)) return outcome('failed', 'The run was stopped before it had an output.')
  const at = valueAt(end.value, path)
  if (!at) return outcome('failed', `The output has nothing at ${path}.`)
  return found(isDeepStrictEqual(at.value, value), `It is ${quote(at.value)}.`)
}

/** What a JSON Pointer leads to; null: nothing is there. */
function valueAt(output: unknown, path: string): { value: unknown } | null {
  const names = path.split('/').slice(1)
  return names.reduce<{ value: unknown } | null>(
    (at, name) => at && childOf(at.value, name.replaceAll('~1', '/').replaceAll('~0', '~')),
    { value: output },
  )
}

function childOf(parent: unknown, name: string): { value: unknown } | null {
  if (Array.isArray(parent))
    return /^(0|[1-9]\d*)$/.test(name) && name in parent ? { value: parent[Number(name)] } : null
  return isRecord(parent) && Object.hasOwn(parent, name) ? { value: parent[name] } : null
}

async function testQuery({ ownerId }: AgentRun, { query }: OfKind<'sql'>): Promise<CheckOutcome> {
  try {
    const { rows } = await queryDatasets(ownerId, query, { maxRows: 1 })
    const [cell] = rows[0] ?? []
    return found(isTrue(cell), rows.length === 0 ? 'The query returned no row.' : `The first cell is ${quote(cell)}.`)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    return untestable(`The query failed: ${error.message.replace(/^sql: /, '')}`)
  }
}

/** SQLite has no booleans, and some cells are texts. */
const isTrue = (cell: unknown): boolean =>
  typeof cell === 'string'
    ? /^\s*true\s*$/i.test(cell) || (Number(cell) !== 0 && Number.isFinite(Number(cell)))
    : cell === true || (typeof cell === 'number' && cell !== 0)
