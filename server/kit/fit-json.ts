import type { JsonPath } from './json-path'
import { isRecord } from './record'

/** What was left out of a list, a text or an object: everything from `shown` on. */
export type JsonCut = { path: JsonPath; kind: 'items' | 'characters' | 'keys'; shown: number; total: number }

/** A value cut to a size, and where it was cut. */
export type FittedJson = { value: unknown; cuts: JsonCut[] }

/** A list of large items shows a part of each of its first ones instead of one alone. */
const MIN_ITEMS = 3
const MAX_PARTIAL_ITEMS = 8
/** Characters that a part of an item has at least: fewer items are shown instead. */
const MIN_PARTIAL_CHARS = 240
/** Characters that a value needs to say anything; what is smaller is whole or left out. */
const MIN_USEFUL_CHARS = 60
/**
 * An address that takes more of an object's characters than this comes after what it is about,
 * where there are twice as many.
 */
const MAX_ADDRESS_SHARE = 1 / 3
/** An object with more keys than this is cut between them. */
const MANY_KEYS = 50
/**
 * The part of a text's characters that is taken from its end: commands say last what went wrong.
 */
const TAIL_SHARE = 0.1
/** A shorter text is not shown from its end, and says only that it goes on. */
const MIN_WITH_TAIL = 500
/** Characters of the note that replaces the middle of a text. */
const NOTE_CHARS = 48

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length

/**
 * A JSON value with at most `maxChars` characters of JSON: lists are cut between their items, then
 * objects between their keys, those that say least first, then texts after a sentence or a word.
 * What does not fit is left out, never emptied: with too little for anything the value is null.
 */
export function fitJson(value: unknown, maxChars: number): FittedJson {
  const cuts: JsonCut[] = []
  const fitted = shrink(partOf(value, []), maxChars, cuts)
  return { value: fitted === undefined ? null : fitted, cuts }
}

type Part = { value: unknown; path: JsonPath; size: number }

/** True for a text that is an address and nothing else: it is of no use in part. */
export const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-z][a-z+.-]{0,20}:\/\/\S+$/i.test(value)

/** Undefined: nothing of it fits. */
function shrink({ value, path, size }: Part, maxChars: number, cuts: JsonCut[]): unknown {
  if (size <= maxChars) return value
  if (typeof value === 'string') return fitText({ value, path }, maxChars, cuts)
  if (Array.isArray(value)) return fitList({ list: value, path }, maxChars, cuts)
  return isRecord(value) ? fitObject({ value, path }, maxChars, cuts) : undefined
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

function fitList(
  { list, path }: { list: unknown[]; path: JsonPath },
  maxChars: number,
  cuts: JsonCut[],
): unknown[] | undefined {
  let used = 2
  let whole = 0
  for (const item of list) {
    used += sizeOf(item) + 1
    if (used > maxChars + 1) break
    whole++
  }
  if (whole >= Math.min(MIN_ITEMS, list.length)) {
    cuts.push({ path, kind: 'items', shown: whole, total: list.length })
    return list.slice(0, whole)
  }
  const some = Math.min(MAX_PARTIAL_ITEMS, list.length, Math.floor(maxChars / MIN_PARTIAL_CHARS))
  const parts = list.slice(0, Math.max(1, some, whole)).map((item, i) => partOf(item, [...path, i]))
  const inside: JsonCut[] = []
  const fitted = fitAll(parts, maxChars - 2, inside)
  const missing = fitted.indexOf(undefined)
  const shown = missing < 0 ? fitted : fitted.slice(0, missing)
  if (shown.length === 0) return undefined
  if (shown.length < list.length) cuts.push({ path, kind: 'items', shown: shown.length, total: list.length })
  cuts.push(...inside.filter((cut) => Number(cut.path[path.length]) < shown.length))
  return shown
}

const partOf = (value: unknown, path: JsonPath): Part => ({ value, path, size: sizeOf(value) })

/** Parts in so many characters: addresses whole, as far as they fit, what is left shared out. */
function fitAll(parts: readonly Part[], maxChars: number, cuts: JsonCut[]): unknown[] {
  let left = maxChars - parts.length
  const sizes = parts.map(({ value, size }) => {
    if (!isAddress(value) || size > left) return size
    left -= size
    return 0
  })
  const shares = shareOut(sizes, left)
  return parts.map((part, i) => (sizes[i] === 0 ? part.value : shrink(part, shares[i] ?? 0, cuts)))
}

/** Names of keys whose values say most, then those that say less. */
const WORTH: readonly RegExp[] = [
  /^(title|name|headline|question|answer|label|subject|summary|error|message)$/i,
  /^(url|link)$/i,
  /(text|description|snippet|markdown|content|price|amount|total|score|value|count|rating|size|area|address)$/i,
  /^(id|date|author)$|(At|Date|Id|Code)$/,
]

/** The place of a key among others: those that say most come first. */
export function worthOf(key: string, value: unknown): number {
  if (typeof value === 'boolean') return WORTH.length + 1
  const place = WORTH.findIndex((names) => names.test(key))
  return place >= 0 ? place : WORTH.length
}

const keySize = (key: string): number => JSON.stringify(key).length + 2

/** The keys of an object that fit together, in its order. */
function keysToShow(entries: readonly (readonly [string, unknown])[], maxChars: number): ReadonlySet<string> {
  // One with many keys is a list by another name: its first ones keep whole values.
  const isWide = entries.length > MANY_KEYS
  const isLong = (child: unknown) => isAddress(child) && sizeOf(child) > maxChars * MAX_ADDRESS_SHARE
  const rankOf = (key: string, child: unknown) => (isLong(child) ? WORTH.length : worthOf(key, child))
  const ranked = isWide ? entries : entries.toSorted(([a, x], [b, y]) => rankOf(a, x) - rankOf(b, y))
  const shown = new Set<string>()
  let left = maxChars - 2
  for (const [key, child] of ranked) {
    const isWhole = isWide || isAddress(child)
    const size = isWhole ? sizeOf(child) : Math.min(sizeOf(child), MIN_USEFUL_CHARS)
    const needed = keySize(key) + (isLong(child) && !isWide ? 2 * size : size)
    if (needed > left && isWide) break
    if (needed > left) continue
    left -= needed
    shown.add(key)
  }
  const [first] = ranked
  if (shown.size === 0 && first) shown.add(first[0])
  return shown
}

function fitObject(
  { value, path }: { value: Record<string, unknown>; path: JsonPath },
  maxChars: number,
  cuts: JsonCut[],
): Record<string, unknown> | undefined {
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  const keys = keysToShow(entries, maxChars)
  const kept = entries.filter(([key]) => keys.has(key))
  const names = kept.reduce((sum, [key]) => sum + keySize(key) - 1, 2)
  const inside: JsonCut[] = []
  const fitted = fitAll(
    kept.map(([key, child]) => partOf(child, [...path, key])),
    maxChars - names,
    inside,
  )
  const shown = kept.map(([key], i) => [key, fitted[i]] as const).filter(([, child]) => child !== undefined)
  if (shown.length === 0) return undefined
  if (shown.length < entries.length) cuts.push({ path, kind: 'keys', shown: shown.length, total: entries.length })
  cuts.push(...inside)
  return Object.fromEntries(shown)
}

function fitText(
  { value, path }: { value: string; path: JsonPath },
  maxChars: number,
  cuts: JsonCut[],
): string | undefined {
  // Half an address leads nowhere, and looks as if it did.
  if (isAddress(value)) return undefined
  const isShort = maxChars < MIN_WITH_TAIL
  const available = maxChars - 2 - (isShort ? 1 : NOTE_CHARS)
  // Quotes, line ends and the like take more characters as JSON: cut until it fits.
  for (let chars = available; chars >= 1; chars = Math.floor(chars * 0.95)) {
    const head = value.slice(0, endOfPart(value, Math.floor(chars * (isShort ? 1 : 1 - TAIL_SHARE))))
    const tail = isShort ? '' : endOfText(value, Math.floor(chars * TAIL_SHARE))
    if (head.trim() === '' || sizeOf(head) + sizeOf(tail) - 4 > available) continue
    cuts.push({ path, kind: 'characters', shown: head.length, total: value.length })
    const left = value.length - head.length - tail.length
    return isShort ? `${head.trimEnd()}…` : `${head}\n[… ${left} characters left out …]\n${tail}`.trim()
  }
  return undefined
}

/** Characters of an address that is looked for around a place where a text is cut. */
const MAX_ADDRESS = 2_000

/** Where the address begins that a cut at this place would divide; null: it divides none. */
function addressAround(text: string, at: number): { from: number; to: number } | null {
  const before = text.slice(Math.max(0, at - MAX_ADDRESS), at)
  const start = before.lastIndexOf('://')
  const word = before.slice(start < 0 ? before.length : start)
  if (start < 0 || /[\s)\]>"'|]/.test(word)) return null
  const after = text.slice(at, at + MAX_ADDRESS)
  const to = at + (/[\s)\]>"'|]/.exec(after)?.index ?? after.length)
  const scheme = /[a-z]{1,10}$/i.exec(before.slice(0, start))?.[0].length ?? 0
  const from = at - before.length + start - scheme
  // The text of a link goes with its address.
  const label = text.slice(from - 2, from) === '](' ? text.lastIndexOf('[', from) : -1
  return { from: label >= 0 ? label : from, to }
}

/** The last characters of a text, without the end of an address alone. */
function endOfText(text: string, chars: number): string {
  const from = text.length - chars
  const address = addressAround(text, from)
  return text.slice(address ? address.to : from).toWellFormed()
}

/** What ends a sentence, in any script. */
const SENTENCE_END = /[.!?。！？…؟।](?=\s|$)|[。！？]/g

/**
 * Where to cut a text that is longer than `max`: after a line, a sentence or a word where one ends
 * near, and never in an address.
 */
export function endOfPart(text: string, max: number): number {
  if (text.length <= max) return text.length
  const end = endNear(text, max)
  const address = addressAround(text, end)
  return address && address.from > 0 ? address.from : end
}

function endNear(text: string, max: number): number {
  const line = text.lastIndexOf('\n', max - 1) + 1
  if (line > max * 0.8) return line
  const sentence = [...text.slice(Math.floor(max * 0.7), max).matchAll(SENTENCE_END)].at(-1)
  if (sentence) return Math.floor(max * 0.7) + sentence.index + 1
  const word = text.lastIndexOf(' ', max - 1) + 1
  if (word > max * 0.8) return word
  const unit = text.charCodeAt(max)
  return unit >= 0xdc00 && unit <= 0xdfff && max > 1 ? max - 1 : max
}
