import { END_LETTER, ESCAPE_LETTER, ID_WORDS, LETTER_TOTAL, SMALL_WORDS, sharesAfter } from './letters'

/**
 * Texts as numbers, so that an id is enough to make the whole post or video again. Numbers are
 * stacks: what was pushed last is popped first (asymmetric numeral systems,
 * https://arxiv.org/abs/1311.2540). Common words take some ten bits, spelled ones four a letter.
 */

/** Pushes `value`, which is one of `radix`. */
export const pushNumber = (code: bigint, value: number, radix: number): bigint => code * BigInt(radix) + BigInt(value)

export function popNumber(code: bigint, radix: number): { value: number; rest: bigint } {
  return { value: Number(code % BigInt(radix)), rest: code / BigInt(radix) }
}

export type CodeShare = { from: number; size: number }

/** Pushes one of several things that are not equally likely; `total` is the sum of all sizes. */
export const pushShare = (code: bigint, { from, size }: CodeShare, total: number): bigint =>
  (code / BigInt(size)) * BigInt(total) + BigInt(from) + (code % BigInt(size))

/** The one of `list` that was pushed. */
export function popShare<T extends CodeShare>(
  code: bigint,
  list: readonly T[],
  total: number,
): { share: T; rest: bigint } {
  const at = Number(code % BigInt(total))
  const share = list.find(({ from, size }) => at < from + size) as T
  return { share, rest: BigInt(share.size) * (code / BigInt(total)) + BigInt(at - share.from) }
}

const TAGS = [
  { kind: 'word', from: 0, size: 8 },
  { kind: 'small', from: 8, size: 2 },
  { kind: 'spelled', from: 10, size: 3 },
  { kind: 'end', from: 13, size: 3 },
] as const
const [WORD, SMALL, SPELLED, END] = TAGS
const TAG_TOTAL = 16

const NUMBER_OF = new Map(ID_WORDS.map((word, at) => [word, at]))
const MAX_WORD = Math.max(...ID_WORDS.map((word) => word.length)) + 1
const POP = { word: popWord, small: popSmall, spelled: popLetters } as const
const SMALL_BITS = Math.log2(TAG_TOTAL / SMALL.size) + Math.log2(SMALL_WORDS.length)
const WORD_BITS = Math.log2(TAG_TOTAL / WORD.size) + Math.log2(ID_WORDS.length) + 0.3
const ENDINGS = [
  { text: '', from: 0, size: 13 },
  { text: 's', from: 13, size: 3 },
] as const

/** A known word, or its plural. */
function findWord(part: string) {
  const number = NUMBER_OF.get(part)
  const isSmall = number !== undefined && number < SMALL_WORDS.length
  if (number !== undefined) return { number, isSmall, ending: ENDINGS[0], bits: isSmall ? SMALL_BITS : WORD_BITS }
  const singular = part.endsWith('s') ? NUMBER_OF.get(part.slice(0, -1)) : undefined
  return singular === undefined
    ? undefined
    : { number: singular, isSmall: false, ending: ENDINGS[1], bits: WORD_BITS + 2 }
}

/** Code that no one wrote may mean a text of any length. */
const MAX_TOKENS = 24
const MAX_LETTERS = 40

/** A phrase is words with spaces between them; the parts of a name follow each other. */
export type CodedKind = 'phrase' | 'name'

/** Pushes a text in lower case. */
export function pushText(code: bigint, text: string, kind: CodedKind): bigint {
  const parts = kind === 'phrase' ? text.split(' ') : splitName(text)
  return parts.filter(Boolean).reduceRight(pushPart, pushShare(code, END, TAG_TOTAL))
}

export function popText(code: bigint, kind: CodedKind): { text: string; rest: bigint } {
  const parts: string[] = []
  let rest = code
  while (parts.length < MAX_TOKENS) {
    const tag = popShare(rest, TAGS, TAG_TOTAL)
    rest = tag.rest
    if (tag.share.kind === 'end') break
    const part = POP[tag.share.kind](rest)
    parts.push(part.text)
    rest = part.rest
  }
  return { text: parts.join(kind === 'phrase' ? ' ' : ''), rest }
}

function pushPart(code: bigint, part: string): bigint {
  const found = findWord(part)
  if (found?.isSmall) return pushShare(pushNumber(code, found.number, SMALL_WORDS.length), SMALL, TAG_TOTAL)
  if (!found) return pushShare(pushLetters(code, part), SPELLED, TAG_TOTAL)
  const word = pushNumber(pushShare(code, found.ending, TAG_TOTAL), found.number, ID_WORDS.length)
  return pushShare(word, WORD, TAG_TOTAL)
}

function popSmall(code: bigint) {
  const { value, rest } = popNumber(code, SMALL_WORDS.length)
  return { text: SMALL_WORDS[value] ?? '', rest }
}

function popWord(code: bigint) {
  const number = popNumber(code, ID_WORDS.length)
  const ending = popShare(number.rest, ENDINGS, TAG_TOTAL)
  return { text: `${ID_WORDS[number.value]}${ending.share.text}`, rest: ending.rest }
}

function pushLetters(code: bigint, word: string): bigint {
  let pushed = code
  for (let at = word.length; at >= 0; at--) {
    const letter = word[at] ?? END_LETTER
    const { byLetter } = sharesAfter(word.slice(Math.max(at - 2, 0), at))
    const share = at === word.length || letter !== END_LETTER ? byLetter.get(letter) : undefined
    if (share) pushed = pushShare(pushed, share, LETTER_TOTAL)
    else {
      const raw = byLetter.get(ESCAPE_LETTER) as CodeShare
      pushed = pushShare(pushNumber(pushed, letter.charCodeAt(0), 65_536), raw, LETTER_TOTAL)
    }
  }
  return pushed
}

function popLetters(code: bigint) {
  let [text, rest] = ['', code]
  while (text.length < MAX_LETTERS) {
    const found = popShare(rest, sharesAfter(text.slice(-2)).list, LETTER_TOTAL)
    rest = found.rest
    if (found.share.letter === END_LETTER) break
    if (found.share.letter !== ESCAPE_LETTER) text += found.share.letter
    else {
      const escaped = popNumber(rest, 65_536)
      text += String.fromCharCode(escaped.value)
      rest = escaped.rest
    }
  }
  return { text, rest }
}

const SPELLED_BITS = Math.log2(TAG_TOTAL / SPELLED.size)

/** A name as the known words and spelled parts that need the fewest bits. */
export function splitName(name: string): string[] {
  const bits = new Float64Array(name.length + 1).fill(Number.POSITIVE_INFINITY)
  const ends = new Uint8Array(name.length + 1)
  bits[name.length] = 0
  for (let from = name.length - 1; from >= 0; from--) {
    let spelled = SPELLED_BITS
    for (let to = from + 1; to <= name.length; to++) {
      spelled += bitsOf(name.slice(Math.max(to - 3, from), to - 1), name[to - 1] ?? '')
      const part = to - from <= MAX_WORD ? name.slice(from, to) : undefined
      const word = part === undefined ? undefined : findWord(part)
      const all = (bits[to] ?? 0) + (word?.bits ?? spelled + bitsOf(name.slice(Math.max(to - 2, from), to), END_LETTER))
      if (all >= (bits[from] ?? 0)) continue
      bits[from] = all
      ends[from] = to
    }
  }
  const parts: string[] = []
  for (let at = 0; at < name.length; at = ends[at] ?? name.length) parts.push(name.slice(at, ends[at]))
  return parts
}

const bitsOf = (before: string, letter: string): number => sharesAfter(before).byLetter.get(letter)?.bits ?? 28
