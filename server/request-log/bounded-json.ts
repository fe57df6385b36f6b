import { isRecord } from '../kit/record'
import { isSecretName, REDACTED, redactText } from '../kit/redact'
import { sanitizeTextForPostgres } from '../kit/sanitize-for-postgres'

/** Most bytes of JSON that are kept of a request, and of a response. */
export const MAX_LOGGED_BYTES = 64 * 1024

const MAX_DEPTH = 64
/** A secret that the cut would go through is still recognized when it is no longer than this. */
const MARGIN = 512
/** So many characters of base64 without a blank are data, not words. */
const MIN_DATA = 512
/** The bytes of a text of nothing but an ellipsis. */
const MIN_TEXT = 5

const DATA_URL = /data:([\w.+/-]*)(?:;charset=[\w-]+)?;base64,([\w+/=-]*)/g
const BASE64 = /^[\w+/=-]+$/

export type BoundedJson = { json: string; isTruncated: boolean }

type Budget = { left: number; isTruncated: boolean }

/**
 * A value as JSON of at most `maxBytes`, without secrets, and with a note in the place of images
 * and other data. What exceeds the limit is cut from the end; it is JSON all the same.
 */
export function boundedJson(value: unknown, maxBytes = MAX_LOGGED_BYTES): BoundedJson {
  const budget = { left: maxBytes, isTruncated: false }
  const json = JSON.stringify(copyOf(value, '', { budget, depth: 0 }) ?? null)
  return { json, isTruncated: budget.isTruncated }
}

type Place = { budget: Budget; depth: number }

/** What fits of a value; undefined: nothing of it. */
function copyOf(value: unknown, name: string, { budget, depth }: Place): unknown {
  if (typeof value === 'string') return fitText(isSecretName(name) ? REDACTED : value, budget)
  if (typeof value !== 'object' || value === null) return fitPlain(value, budget)
  if (depth >= MAX_DEPTH || budget.left < 2) return cut(budget)
  budget.left -= 2
  const inside = { budget, depth: depth + 1 }
  if (Array.isArray(value)) return copyList(value, name, inside)
  return isRecord(value) ? copyRecord(value, inside) : undefined
}

function cut(budget: Budget): undefined {
  budget.isTruncated = true
  budget.left = 0
}

/** Numbers, truth values, null. */
function fitPlain(value: unknown, budget: Budget): unknown {
  const size = String(JSON.stringify(value ?? null) ?? 'null').length
  if (size > budget.left) return cut(budget)
  budget.left -= size
  return value ?? null
}

function copyList(list: readonly unknown[], name: string, inside: Place): unknown[] {
  const made: unknown[] = []
  for (const item of list) {
    inside.budget.left -= 1
    const copy = copyOf(item, name, inside)
    if (copy === undefined) break
    made.push(copy)
    if (inside.budget.left <= 0) break
  }
  if (made.length < list.length) inside.budget.isTruncated = true
  return made
}

function copyRecord(record: Record<string, unknown>, inside: Place): Record<string, unknown> {
  const made: [string, unknown][] = []
  for (const [field, value] of Object.entries(record)) {
    if (value === undefined) continue
    const name = sanitizeTextForPostgres(field.slice(0, 1_000))
    const size = jsonBytes(name) + 2
    if (size >= inside.budget.left) {
      cut(inside.budget)
      break
    }
    inside.budget.left -= size
    const copy = copyOf(value, name, inside)
    if (copy === undefined) break
    made.push([name, copy])
  }
  return Object.fromEntries(made)
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text))

/** As much of a text as fits, without secrets and data. */
function fitText(text: string, budget: Budget): string | undefined {
  if (budget.left < MIN_TEXT) return cut(budget)
  const { shown, isCut } = readable(text, budget.left)
  let fitting = sanitizeTextForPostgres(shown)
  let size = jsonBytes(fitting)
  if (isCut || size > budget.left) budget.isTruncated = true
  while (size > budget.left) {
    const length = Math.max(0, Math.floor((fitting.length * budget.left) / size) - 4)
    fitting = `${fitting.slice(0, length)}…`.toWellFormed()
    size = jsonBytes(fitting)
  }
  budget.left = budget.isTruncated ? 0 : budget.left - size
  return fitting
}

/** A text, or its beginning of a little more than `max` characters, without secrets and data. */
function readable(text: string, max: number): { shown: string; isCut: boolean } {
  if (text.length > MIN_DATA && BASE64.test(text.slice(0, MIN_DATA)))
    return { shown: `[${text.length} characters of base64]`, isCut: false }
  const plain = text.includes(';base64,') ? text.replaceAll(DATA_URL, noteOfData) : text
  return { shown: redactText(plain.slice(0, max + MARGIN)), isCut: plain.length > max + MARGIN }
}

const noteOfData = (_all: string, type: string, data: string): string =>
  `[${type || 'data'}, ${Math.floor((data.length * 3) / 4)} bytes]`
