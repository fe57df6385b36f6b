/**
 * Marks a text as content that a reader must keep, or as boilerplate that it must drop; returns
 * it.
 */
export type Mark = (text: string) => string

/**
 * The inside of a page: `m` marks content, `j` boilerplate. `seed` keeps the prose of two pages
 * apart.
 */
export type Inner = (
  m: Mark,
  j: Mark,
  seed: number,
) => { title: string; body: string; head?: string; scripts?: string; files?: Files }

/** What else the page's server has, by path. */
type Files = Record<string, string>

export type SavedPage = { kind: string; path: string; html: string; must: string[]; junk: string[]; files: Files }

const SUBJECTS =
  'The ferry|A lock keeper|The old bridge|Every harbour|The night train|A village bakery|The weather office|A careful reader|The river board|One of the millers|The town archive|A second survey'.split(
    '|',
  )
const VERBS =
  'recorded|moved|repaired|counted|described|replaced|measured|opened|compared|abandoned|insured|photographed'.split(
    '|',
  )
const THINGS =
  'the copper pipes|forty empty barrels|the tide tables|a row of poplars|the winter timetable|three hundred letters|the eastern pontoon|its oldest ledger|the gravel path|two old boilers|the lighthouse stairs|the public scales'.split(
    '|',
  )
const WHENS =
  'before the frost came|in the spring of that year|without telling anybody|while the council was still talking|for less than it had cost|as the contract required|after the second flood|between two market days|on a Tuesday morning|against all advice|with help from the school|until the money ran out'.split(
    '|',
  )

const pick = (from: string[], n: number): string => from[n % from.length] ?? ''

/** A sentence that no other number gives. */
export const sentence = (n: number): string =>
  `${pick(SUBJECTS, n)} ${pick(VERBS, n * 5 + Math.floor(n / 12))} ${pick(THINGS, n * 7 + Math.floor(n / 5))} ${pick(WHENS, n * 11 + Math.floor(n / 7))}, as note ${n + 100} says.`

/** `count` paragraphs of `length` sentences, every sentence marked. */
export const paragraphs = (m: Mark, seed: number, count: number, length = 3): string[] =>
  Array.from({ length: count }, (_, p) =>
    Array.from({ length }, (_, s) => m(sentence(seed * 97 + p * length + s))).join(' '),
  )

export const ps = (m: Mark, seed: number, count: number, length = 3): string =>
  paragraphs(m, seed, count, length)
    .map((text) => `<p>${text}</p>`)
    .join('\n')

export const json = (data: unknown): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
