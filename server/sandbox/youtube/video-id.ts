import { codeReader, pushNumber, pushText } from '../ids/text-code'
import { chanceOf, drawFrom, times } from '../kit/seed'
import { anySubject } from '../social/communities'

/** Which video it is: the n-th about a subject. */
export type VideoKey = { topic: string; n: number }

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LENGTH = 10
const LAST = 64n ** BigInt(LENGTH)
/** A factor and its inverse, so that ids of neighbours do not look alike. */
const MIXED_BY = 0x1e3779b97f4a7c15n % LAST
const UNMIXED_BY = inverseOf(MIXED_BY)

/** Of an odd number, by Newton's method: each step doubles the digits that are right. */
function inverseOf(factor: bigint): bigint {
  let inverse = factor
  for (let digits = 3; digits < 64; digits *= 2) inverse = (inverse * (2n - factor * inverse)) % LAST
  return (inverse + LAST) % LAST
}

/** One more sign, by which ids of the sandbox are known from others. */
const checkOf = (id: string): string => DIGITS[Math.floor(chanceOf(`video ${id}`) * 64)] ?? 'A'

/** The id of a video, which holds its key; null when that does not fit. */
export function writeVideoId({ topic, n }: VideoKey): string | null {
  const code = pushText(BigInt(n), topic, 'phrase')
  if (code >= LAST) return null
  const mixed = codeReader((code * MIXED_BY) % LAST)
  const id = times(LENGTH, () => DIGITS[mixed.number(64)])
    .reverse()
    .join('')
  return `${id}${checkOf(id)}`
}

/** The key of any id; one that the sandbox did not write is of some video, too. */
export function readVideoId(id: string): VideoKey {
  const digits = id.slice(0, LENGTH)
  if (id.at(-1) === checkOf(digits)) {
    const code = [...digits].reduce((sum, digit) => pushNumber(sum, DIGITS.indexOf(digit), 64), 0n)
    const key = codeReader((code * UNMIXED_BY) % LAST)
    const topic = key.text('phrase')
    if (key.rest() < 1000n) return { topic, n: Number(key.rest()) }
  }
  const seed = `video id ${id}`
  return { topic: anySubject(seed), n: drawFrom(seed).int('n', 0, 99) }
}
