import type { JsonPath } from './json-path'
import { isRecord } from './record'

/** What was left out of a list, a text or an object: everything from `shown` on. */
export type JsonCut = { path: JsonPath; kind: 'items' | 'characters' | 'keys'; shown: number; total: number }

/** A value cut to a size, and where it was cut. */
export type FittedJson = { value: unknown; cuts: JsonCut[] }

/** A list of large items shows a part of each of its first ones instead of one alone. */
const MIN_ITEMS = 3
const MAX_PARTIAL_ITEMS = 8
/** An object with more keys than this is cut between them. */
const MANY_KEYS = 50
/**
 * The part of a text's characters that is taken from its end: commands say last what went wrong.
 */
const TAIL_SHARE = 0.1
/** A shorter text is not shown from its end. */
const MIN_WITH_TAIL = 500
/** Characters of the note that replaces the middle of a text. */
const NOTE_CHARS = 48

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length

/**
 * A JSON value with at most `maxChars` characters of JSON: lists are cut between their items, texts
 * between lines or words, and what is small beside them is kept whole. It is JSON whatever is cut.
 */
export function fitJson(value: unknown, maxChars: number): FittedJson {
  const cuts: JsonCut[] = []
  return { value: shrink({ value, path: [], size: sizeOf(value) }, maxChars, cuts), cuts }
}

type Part = { value: unknown; path: JsonPath; size: number }

function shrink({ value, path, size }: Part, maxChars: number, cuts: JsonCut[]): unknown {
  if (size <= maxChars) return value
  if (typeof value === 'string') return fitText({ value, path }, maxChars, cuts)
  if (Array.isArray(value)) return fitList({ list: value, path }, maxChars, cuts)
  return isRecord(value) ? fitObject({ value, path }, maxChars, cuts) : null
}

/** Sizes for parts that together may have `maxChars`: the small ones whole, the rest alike. */
export function shareOut(sizes: readonly number[], maxChars: number): number[] {
  const bySize = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size)
  const shares = new Array<number>(sizes.length).fill(0)
  let left = maxChars
  for (const [done, { size, at }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - done)))
    shares[at] = share
    left -= share
  }
  return shares
}

function fitList({ list, path }: { list: unknown[]; path: JsonPath }, maxChars: number, cuts: JsonCut[]): unknown[] {
  let used = 2
  let whole = 0
  for (const item of list) {
    used += sizeOf(item) + 1
    if (used > maxChars) break
    whole++
  }
  const shown = whole >= Math.min(MIN_ITEMS, list.length) ? whole : Math.min(MAX_PARTIAL_ITEMS, list.length)
  if (shown < list.length) cuts.push({ path, kind: 'items', shown, total: list.length })
  const first = list.slice(0, shown)
  return shown === whole
    ? first
    : fitAll(
        first.map((value, i) => partOf(value, [...path, i])),
        maxChars - 2,
        cuts,
      )
}

const partOf = (value: unknown, path: JsonPath): Part => ({ value, path, size: sizeOf(value) })

function fitAll(parts: readonly Part[], maxChars: number, cuts: JsonCut[]): unknown[] {
  const shares = shareOut(
    parts.map(({ size }) => size),
    maxChars - parts.length,
  )
  return parts.map((part, i) => shrink(part, shares[i] ?? 0, cuts))
}

function fitObject(
  { value, path }: { value: Record<string, unknown>; path: JsonPath },
  maxChars: number,
  cuts: JsonCut[],
): Record<string, unknown> {
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  // One with many keys is a list by another name: it keeps whole values. No value of another one
  // becomes smaller than a null.
  const isWide = entries.length > MANY_KEYS
  let used = 2
  let fitting = 0
  for (const [key, child] of entries) {
    used += JSON.stringify(key).length + 2 + (isWide ? sizeOf(child) : 4)
    if (used > maxChars) break
    fitting++
  }
  const shown = isWide && fitting < MIN_ITEMS ? MAX_PARTIAL_ITEMS : fitting
  if (shown < entries.length) cuts.push({ path, kind: 'keys', shown, total: entries.length })
  const kept = entries.slice(0, shown)
  const names = kept.reduce((sum, [key]) => sum + JSON.stringify(key).length + 1, 2)
  const fitted = fitAll(
    kept.map(([key, child]) => partOf(child, [...path, key])),
    maxChars - names,
    cuts,
  )
  return Object.fromEntries(kept.map(([key], i) => [key, fitted[i]]))
}

function fitText({ value, path }: { value: string; path: JsonPath }, maxChars: number, cuts: JsonCut[]): string {
  const available = maxChars - NOTE_CHARS - 2
  let head = ''
  let tail = ''
  // Quotes, line ends and the like take more characters as JSON: cut until it fits.
  for (let chars = available; chars > 0; chars = Math.floor(chars * 0.9)) {
    head = value.slice(0, endOfPart(value, Math.floor(chars * (1 - TAIL_SHARE))))
    tail = chars < MIN_WITH_TAIL ? '' : value.slice(-Math.floor(chars * TAIL_SHARE)).toWellFormed()
    if (sizeOf(head) + sizeOf(tail) - 4 <= available) break
    head = ''
    tail = ''
  }
  const left = value.length - head.length - tail.length
  cuts.push({ path, kind: 'characters', shown: head.length, total: value.length })
  return maxChars < NOTE_CHARS + 2 ? '' : `${head}\n[… ${left} characters left out …]\n${tail}`.trim()
}

/** Where to cut a text that is longer than `max`: after a line or a word where one ends near. */
export function endOfPart(text: string, max: number): number {
  if (text.length <= max) return text.length
  const line = text.lastIndexOf('\n', max - 1) + 1
  if (line > max * 0.8) return line
  const word = text.lastIndexOf(' ', max - 1) + 1
  if (word > max * 0.8) return word
  const unit = text.charCodeAt(max)
  return unit >= 0xdc00 && unit <= 0xdfff && max > 1 ? max - 1 : max
}
