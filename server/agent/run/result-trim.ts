import { agentTools } from '../../agent-tools/registry'
import { worthOf } from '../../kit/fit-json'
import { isRecord, type UnknownRecord } from '../../kit/record'
import { paramsJsonSchema } from '../../tools/params'

/** A result without what says nothing to a model, and the columns that were left out. */
export type TrimmedResult = { value: unknown; left: string[] }

/** Columns of addresses of photos: a model that needs one reads its row. */
const PHOTOS = /(image|photo|thumbnail|pict(?:ure|ogram)|avatar|icon|banner)(Url)?s?$/i
const URL_START = /^(https?:)?\/\//

/** Parameters of tools, by which an id is worth its characters. */
let known: ReadonlySet<string> | undefined
function parameterNames(): ReadonlySet<string> {
  known ??= new Set(agentTools().flatMap((tool) => Object.keys(paramsJsonSchema(tool).properties ?? {})))
  return known
}

/** Tools whose columns are fixed, not named by a person or a stranger. */
const FIXED_CAPABILITIES: ReadonlySet<string> = new Set(['web', 'crypto', 'dataApi'])
function hasFixedColumns(toolId: string): boolean {
  const tool = agentTools().find(({ id }) => id === toolId)
  return tool !== undefined && FIXED_CAPABILITIES.has(tool.capability) && !toolId.startsWith('marketplace_')
}

/**
 * The result of a tool without nulls and empty values and, in the lists of tools with fixed
 * columns, without photos, addresses that come twice and ids that no tool takes. Lists keep their
 * items, so that places in it are those of the result.
 */
export function trimResult(toolId: string, output: unknown): TrimmedResult {
  const left = new Set<string>()
  const isFixed = hasFixedColumns(toolId)
  const value = trim(inOneOrder(output), isFixed ? left : null, false)
  return { value: value === undefined ? inOneOrder(output) : value, left: [...left] }
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

/** Undefined: nothing is left. `left` is null where every column stays. */
function trim(value: unknown, left: Set<string> | null, isInRow: boolean): unknown {
  if (Array.isArray(value)) return trimList(value, left, isInRow)
  if (!isRecord(value)) return value
  const urls = new Set<string>()
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    // An empty list of the result itself says that nothing was found.
    if (isEmpty(child)) return !isInRow && Array.isArray(child) ? [[key, child]] : []
    if (isInRow && left && isDispensable(key, child, urls)) {
      if (PHOTOS.test(key)) left.add(key)
      return []
    }
    const trimmed = trim(child, left, isInRow)
    return isEmpty(trimmed) && !(Array.isArray(trimmed) && !isInRow) ? [] : [[key, trimmed]]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function trimList(list: readonly unknown[], left: Set<string> | null, isInRow: boolean): unknown[] {
  const isTable = list.length > 1 && list.every(isRecord)
  return list.map((item) => trim(item, left, isInRow || isTable) ?? item)
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
