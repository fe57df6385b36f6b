import { drawFrom } from '../kit/seed'
import { plainWord } from './stop-words'
import tables from './words.json'

/** Somebody who does not exist. */
export type Person = { name: string; handle: string }

const FIRST_NAMES = tables.firstNames.split(' ')
const LAST_NAMES = tables.lastNames.split(' ')

/** A person by seed. The handle has only letters, digits and underscores. */
export function personOf(seed: string): Person {
  const draw = drawFrom(`person ${seed}`)
  const [first, last] = [draw.pick('first', FIRST_NAMES), draw.pick('last', LAST_NAMES)]
  const [a, b] = [plainWord(first), plainWord(last)]
  const handle = draw.pick('form', [
    `${a}_${b}`,
    `${a}${b}${draw.int('n', 2, 99)}`,
    `${a[0]}${b}`,
    `${b}_${a[0]}${draw.int('n', 1, 9)}`,
  ])
  return { name: `${first} ${last}`, handle }
}
