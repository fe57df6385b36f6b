import { trimEnd } from '../../kit/trim-end'
import { splitName } from '../ids/text-code'
import { drawFrom } from '../kit/seed'
import { sentenceCase } from '../kit/text'
import names from './names.json'

/** Words of ids, so that every name fits into one. */
const FIRST = names.first.split(' ')
const LAST = names.last.split(' ')
/** Names with `_`, without, the other way round, and with two digits. */
const FORMS = 93
const ALL = FIRST.length * LAST.length * FORMS
/** A prime that does not divide `ALL`: its multiples visit every name once. */
const STEP = 104_729

/** One of the names of people, of at most 15 characters. */
function handleAt(number: number): string {
  const [first, last] = [FIRST[number % FIRST.length], LAST[Math.floor(number / FIRST.length) % LAST.length]]
  const form = Math.floor(number / FIRST.length / LAST.length)
  if (form === 0) return `${first}_${last}`
  if (form === 1) return `${last}_${first}`
  return form === 2 ? `${first}${last}` : `${first}${last}${form + 7}`
}

/** Somebody by seed. */
export const personHandle = (seed: string): string => handleAt(drawFrom(`x person ${seed}`).int('number', 0, ALL - 1))

/** The followers of an account, newest first: nobody twice. */
export const followerOf = (handle: string, at: number): string =>
  handleAt((drawFrom(`followers of ${handle}`).int('first', 0, ALL - 1) + at * STEP) % ALL)

/** Somebody who posts about a subject, whose name often says so. */
export function posterAbout(words: readonly string[], seed: string): string {
  const draw = drawFrom(`poster ${seed}`)
  const fitting = words.map((word) => word.toLowerCase()).filter((word) => /^[a-z]{4,9}$/.test(word))
  if (fitting.length === 0 || draw.chance('who') < 0.6) return personHandle(seed)
  const word = draw.pick('word', fitting)
  const [first, form] = [
    draw.pick('first', FIRST),
    draw.pick('form', ['daily', 'hq', 'notes', 'club', 'first', 'first']),
  ]
  const handle = form === 'first' ? `${first.slice(0, 14 - word.length)}_${word}` : `${word}${form}`
  return handle.slice(0, 15)
}

/** Further names that handles begin with. */
const PEOPLE = new Set([...FIRST, ...LAST, ...names.others.split(' ')])

/** The parts of a handle: words, names and numbers. */
const partsOfHandle = (handle: string): string[] =>
  handle
    .toLowerCase()
    .split('_')
    .flatMap((part) => (PEOPLE.has(part) ? [part] : namesIn(part)))
    .filter(Boolean)

function namesIn(part: string): string[] {
  const plain = trimEnd(part, '0123456789')
  const first = FIRST.find((name) => plain.startsWith(name) && PEOPLE.has(plain.slice(name.length)))
  return first ? [first, plain.slice(first.length)] : splitName(part)
}

/** What somebody calls themselves. */
export const displayNameOf = (handle: string): string => partsOfHandle(handle).map(sentenceCase).join(' ') || handle

/** The words of a handle that are not somebody's name: what the account is about. */
export const subjectWordsOf = (handle: string): string[] =>
  partsOfHandle(handle).filter(
    (part) => part.length > 2 && /^[a-z]+$/.test(part) && !PEOPLE.has(part) && !COMMON.has(part),
  )

const COMMON = new Set(names.common.split(' '))
