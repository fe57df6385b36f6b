import { drawFrom } from '../kit/seed'
import { sentenceCase } from './capitals'
import tables from './words.json'

/** Who publishes a page. Hosts end in `.example`, which nobody can register. */
export type Outlet = { name: string; host: string }

const FIRST = tables.outletFirst.split(' ')
const SECOND = tables.outletSecond.split(' ')

/** An outlet by seed. */
export function outletOf(seed: string): Outlet {
  const draw = drawFrom(`outlet ${seed}`)
  const [first, second] = [draw.pick('first', FIRST), draw.pick('second', SECOND)]
  return { name: `${first} ${second}`, host: `${first}-${second}.example`.toLowerCase() }
}

/** The outlet at a host, whether it is one of these or a host that somebody searched for. */
export function outletAt(host: string): Outlet {
  const parts = host.replace(/^([a-z]{2}(-[a-z]{2})?|www)\./, '').split('.')
  const name = (parts.length > 1 ? parts.slice(0, -1) : parts).join(' ').split(/[- ]/).map(sentenceCase).join(' ')
  return { name, host }
}
