import { isRecord, type UnknownRecord } from '../../kit/record'

/** Longest text of a provider that is repeated. */
const MAX_CHARACTERS = 2_000
/** Most mistakes of a list that are named. */
const MAX_MISTAKES = 5
const MAX_DEPTH = 8

/** Fields in which providers put what went wrong, the most useful first. */
const TEXT_FIELDS = ['message', 'msg', 'detail', 'error', 'errors', 'description', 'reason', 'title'] as const
/** Fields that say where, and how much of a path is ours to see. */
const PLACE_FIELDS = ['loc', 'field', 'path'] as const

/**
 * The text of an error body in any of the forms that providers use, as one sentence: also of lists
 * of mistakes, of objects inside of objects, and of JSON inside of text. Empty: it says nothing.
 */
export const errorText = (error: unknown): string => sentenceOf(error, 0).slice(0, MAX_CHARACTERS)

function sentenceOf(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return ''
  if (typeof value === 'string') return textOrJson(value, depth)
  if (Array.isArray(value)) return listOf(value, depth)
  return isRecord(value) ? recordText(value, depth) : ''
}

const listOf = (mistakes: readonly unknown[], depth: number): string =>
  mistakes
    .slice(0, MAX_MISTAKES)
    .map((each) => sentenceOf(each, depth + 1))
    .filter((text) => text !== '')
    .join('; ')

function textOrJson(text: string, depth: number): string {
  if (!/^\s*[[{]/.test(text)) return text.slice(0, MAX_CHARACTERS)
  try {
    return sentenceOf(JSON.parse(text), depth + 1)
  } catch {
    return text.slice(0, MAX_CHARACTERS)
  }
}

function recordText(error: UnknownRecord, depth: number): string {
  const raw = isRecord(error.metadata) ? error.metadata.raw : undefined
  const text = firstText(error, depth)
  // Routers say only this and put the provider's message next to it.
  if (raw !== undefined && (text === '' || text === 'Provider returned error')) return sentenceOf(raw, depth + 1)
  const place = placeIn(error)
  return place && text !== '' && !text.includes(place) ? `${place}: ${text}` : text
}

function firstText(error: UnknownRecord, depth: number): string {
  for (const field of TEXT_FIELDS) {
    const text = sentenceOf(error[field], depth + 1)
    if (text !== '') return text
  }
  return ''
}

/** Where a mistake is in the request: `body` is not a word of the caller's. */
function placeIn(error: UnknownRecord): string {
  const place = PLACE_FIELDS.map((field) => error[field]).find(
    (each) => Array.isArray(each) || typeof each === 'string',
  )
  const steps = (Array.isArray(place) ? place : [place]).filter((step) => ['string', 'number'].includes(typeof step))
  return steps
    .filter((step, i) => i > 0 || step !== 'body')
    .join('.')
    .slice(0, 200)
}

/** The parameter that an error names, or the place of the first mistake in its list. */
export function errorParam(error: unknown): string | null {
  if (!isRecord(error)) return null
  if (typeof error.param === 'string') return error.param
  const lists = [error.detail, isRecord(error.message) ? error.message.detail : null, error.errors]
  const first = lists.filter(Array.isArray).flat().find(isRecord)
  return (first && placeIn(first)) || null
}
