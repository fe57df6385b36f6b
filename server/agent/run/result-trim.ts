import { agentTools } from '../../agent-tools/registry'
import { worthOf } from '../../kit/fit-json'
import { isRecord, type UnknownRecord } from '../../kit/record'
import { paramsJsonSchema } from '../../tools/params'

/** A result without what says nothing to a model, and the columns that were left out. */
export type TrimmedResult = { value: unknown; left: string[] }

/** Columns of addresses of photos: a model that needs one reads its row. */
const PHOTOS = /(logo|image|photo|thumbnail|pict(?:ure|ogram)|avatar|icon|banner)(Url)?s?$/i
const URL_START = /^(https?:)?\/\//

/** Parameters of tools, by which an id is worth its characters. */
let known: ReadonlySet<string> | undefined
function parameterNames(): ReadonlySet<string> {
  known ??= new Set(agentTools().flatMap((tool) => Object.keys(paramsJsonSchema(tool).properties ?? {})))
  return known
}

/** Tools whose columns are fixed, not named by a person or a stranger. */
const FIXED_CAPABILITIES: ReadonlySet<string> = new Set(['web', 'crypto', 'dataApi'])

/** What of a tool's columns a model is shown; null: every one, as they are. */
type Shown = { columns: readonly string[] | null; left: Set<string> }

function shownOf(toolId: string): Shown | null {
  const tool = agentTools().find(({ id }) => id === toolId)
  if (!tool || !FIXED_CAPABILITIES.has(tool.capability) || toolId.startsWith('marketplace_')) return null
  return { columns: tool.columns ?? null, left: new Set() }
}

/** True for a tool whose columns are fixed: its further rows are read on where they are needed. */
export const isFixedTable = (toolId: string): boolean => shownOf(toolId) !== null

/**
 * The result of a tool without nulls and empty values and, where its columns are fixed, without
 * flags that are false, what comes twice, photos, ids that no tool takes and seconds that are 0;
 * lists have the columns that say most. Lists keep their items, so that places in it are those of
 * the result.
 */
export function trimResult(toolId: string, output: unknown): TrimmedResult {
  const shown = shownOf(toolId)
  const value = trim(
    inOneOrder(shown ? withShortTimes(withoutRepeats(output)) : withoutService(toolId, output)),
    shown,
    null,
  )
  return { value: value === undefined ? inOneOrder(output) : value, left: [...(shown?.left ?? [])] }
}

/** A result without what it says a second time under another name, and what nobody acts on. */
function withoutRepeats(output: unknown): unknown {
  if (!isRecord(output)) return output
  const { nextCursor, url } = output
  return Object.fromEntries(
    Object.entries(output).filter(([key, value]) => {
      if (value === false || (UNUSED_OF_PAGES.has(key) && 'markdown' in output)) return false
      if (REPEATS_CURSOR.has(key) && value === nextCursor) return false
      return !(key === 'finalUrl' && value === url)
    }),
  )
}
const UNUSED_OF_PAGES: ReadonlySet<string> = new Set(['wordCount', 'contentType'])
const REPEATS_CURSOR: ReadonlySet<string> = new Set(['after', 'continuationToken'])

/** What the service reads of results of datasets, and a model sees in the heading of the rows. */
const FOR_SERVICE: Record<string, readonly string[]> = {
  dataset_query: ['columns', 'datasets', 'totalRows'],
  dataset_export: ['made', 'foreignText'],
}

function withoutService(toolId: string, output: unknown): unknown {
  const hidden = FOR_SERVICE[toolId]
  if (!hidden || !isRecord(output)) return output
  return Object.fromEntries(Object.entries(output).filter(([key, value]) => !hidden.includes(key) && value !== false))
}

/**
 * A value with the keys of its objects in one order, whichever they had: jsonb has an order of its
 * own, and what was sent to a model is sent again byte by byte after its rows were read anew.
 */
export function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort((a, b) => worthOf(a, value[a]) - worthOf(b, value[b]) || (a < b ? -1 : 1))
      .map((key) => [key, inOneOrder(value[key])]),
  )
}

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0) || isEmptyRecord(value)

const isEmptyRecord = (value: unknown) => isRecord(value) && Object.keys(value).length === 0

/** The columns of a list that is a table; null: a value is in none. */
type Table = { columns: readonly string[] | null }

/** Undefined: nothing is left. `shown` is null where every column stays. */
function trim(value: unknown, shown: Shown | null, table: Table | null): unknown {
  if (Array.isArray(value)) return trimList(value, shown, table)
  if (!isRecord(value)) return value
  const urls = new Set<string>()
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    // An empty list of the result itself says that nothing was found.
    if (isEmpty(child)) return !table && Array.isArray(child) ? [[key, child]] : []
    if (table && shown) {
      if (table.columns && !table.columns.includes(key)) {
        // A flag that is false says nothing, wherever it is.
        if (child !== false) shown.left.add(key)
        return []
      }
      if (isDispensable(key, child, urls)) {
        if (PHOTOS.test(key)) shown.left.add(key)
        return []
      }
    }
    const trimmed = trim(child, shown, table && { columns: null })
    return isEmpty(trimmed) && !(Array.isArray(trimmed) && !table) ? [] : [[key, trimmed]]
  })
  const columns = table?.columns
  if (columns) entries.sort(([a], [b]) => columns.indexOf(a) - columns.indexOf(b))
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function trimList(list: readonly unknown[], shown: Shown | null, table: Table | null): unknown[] {
  const isTable = list.length > 1 && list.every(isRecord)
  const [main] = shown?.columns ?? []
  const hasMain = main !== undefined && list.some((item) => isRecord(item) && main in item)
  const inside = table ?? (isTable ? { columns: hasMain ? (shown?.columns ?? null) : null } : null)
  return list.map((item) => trim(item, shown, inside) ?? item)
}

function isDispensable(key: string, value: unknown, urls: Set<string>): boolean {
  if (PHOTOS.test(key) && isPhoto(value)) return true
  if (typeof value === 'string' && URL_START.test(value)) {
    if (urls.has(value)) return true
    urls.add(value)
  }
  return /[a-z]Id$/.test(key) && !parameterNames().has(key) && !parameterNames().has(`${key}s`)
}

function isPhoto(value: unknown): boolean {
  if (typeof value === 'string') return URL_START.test(value)
  if (Array.isArray(value)) return value.every(isPhoto)
  return isRecord(value) && (value as UnknownRecord).url !== undefined && isPhoto(value.url)
}

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::00)?(?:\.000)?Z$/

/** A value whose times have no zeros for their seconds. A time of midnight stays a time. */
function withShortTimes(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ISO_TIME, '$1Z')
  if (Array.isArray(value)) return value.map(withShortTimes)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withShortTimes(child)]))
}
