import { drawFrom } from '../kit/seed'
import { sentenceCase } from '../kit/text'
import { plainWord } from './words'
import tables from './words.json'

const FIRST_NAMES = tables.firstNames.split(' ')
const LAST_NAMES = tables.lastNames.split(' ')

/** Somebody who does not exist, by seed. The handle has only letters, digits and underscores. */
export function personOf(seed: string) {
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

const FIRST = tables.outletFirst.split(' ')
const SECOND = tables.outletSecond.split(' ')

/** Who publishes a page, by seed. Hosts end in `.example`, which nobody can register. */
export function outletOf(seed: string) {
  const draw = drawFrom(`outlet ${seed}`)
  const [first, second] = [draw.pick('first', FIRST), draw.pick('second', SECOND)]
  return { name: `${first} ${second}`, host: `${first}-${second}.example`.toLowerCase() }
}

/** The outlet at a host, whether it is one of these or a host that somebody searched for. */
export function outletAt(host: string) {
  const parts = host.replace(/^([a-z]{2}(-[a-z]{2})?|www)\./, '').split('.')
  const name = (parts.length > 1 ? parts.slice(0, -1) : parts).join(' ').split(/[- ]/).map(sentenceCase).join(' ')
  return { name, host }
}
