import { END_LETTER, ESCAPE_LETTER, ID_WORDS, LETTER_TOTAL, SMALL_WORDS, sharesAfter } from './letters'

/**
 * Texts as numbers, so that an id is enough to make the whole post or video again. Numbers are
 * stacks: what was pushed last is popped first (asymmetric numeral systems,
 * https://arxiv.org/abs/1311.2540). Common words take some ten bits, spelled ones four a letter.
 */

/** Pushes `value`, which is one of `radix`. */
export const pushNumber = (code: bigint, value: number, radix: number): bigint => code * BigInt(radix) + BigInt(value)

export type CodeShare = { from: number; size: number }

/** Pushes one of several things that are not equally likely; `total` is the sum of all sizes. */
export const pushShare = (code: bigint, { from, size }: CodeShare, total: number): bigint =>
  (code / BigInt(size)) * BigInt(total) + BigInt(from) + (code % BigInt(size))

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
const SMALL_BITS = Math.log2(TAG_TOTAL / SMALL.size) + Math.log2(SMALL_WORDS.length)
const WORD_BITS = Math.log2(TAG_TOTAL / WORD.size) + Math.log2(ID_WORDS.length) + 0.3
const ENDINGS = [
  { text: '', from: 0, size: 13 },
  { text: 's', from: 13, size: 3 },
] as const

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

function pushPart(code: bigint, part: string): bigint {
  const found = findWord(part)
  if (found?.isSmall) return pushShare(pushNumber(code, found.number, SMALL_WORDS.length), SMALL, TAG_TOTAL)
  if (!found) return pushShare(pushLetters(code, part), SPELLED, TAG_TOTAL)
  const word = pushNumber(pushShare(code, found.ending, TAG_TOTAL), found.number, ID_WORDS.length)
  return pushShare(word, WORD, TAG_TOTAL)
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

/** Reads what was pushed, the last first. */
export function codeReader(code: bigint) {
  let rest = code
  /** `rest` is what is left. */
  return { number, share, text, rest: () => rest }

  function number(radix: number): number {
    const value = Number(rest % BigInt(radix))
    rest /= BigInt(radix)
    return value
  }

  function share<T extends CodeShare>(list: readonly T[], total: number): T {
    const at = number(total)
    const found = list.find(({ from, size }) => at < from + size) as T
    rest = BigInt(found.size) * rest + BigInt(at - found.from)
    return found
  }

  function text(kind: CodedKind): string {
    const parts: string[] = []
    while (parts.length < MAX_TOKENS) {
      const tag = share(TAGS, TAG_TOTAL).kind
      if (tag === 'end') break
      if (tag === 'small') parts.push(SMALL_WORDS[number(SMALL_WORDS.length)] ?? '')
      else
        parts.push(
          tag === 'spelled' ? letters() : `${ID_WORDS[number(ID_WORDS.length)]}${share(ENDINGS, TAG_TOTAL).text}`,
        )
    }
    return parts.join(kind === 'phrase' ? ' ' : '')
  }

  function letters(): string {
    let word = ''
    while (word.length < MAX_LETTERS) {
      const { letter } = share(sharesAfter(word.slice(-2)).list, LETTER_TOTAL)
      if (letter === END_LETTER) break
      word += letter === ESCAPE_LETTER ? String.fromCharCode(number(65_536)) : letter
    }
    return word
  }
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
