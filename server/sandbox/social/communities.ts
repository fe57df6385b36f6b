import { splitName } from '../ids/text-code'
import { type Draw, drawFrom } from '../kit/seed'
import known from './communities.json'

/** A community: its name as it writes it, and what its posts are about. */
export type Community = { name: string; subjects: readonly string[] }

/** Communities that people name, with subjects that their names alone do not say. */
const byName = new Map<string, Community>(
  Object.entries(known).map(([name, subjects]) => [name.toLowerCase(), { name, subjects: subjects.split(', ') }]),
)
const GENERAL = ['AskReddit', 'NoStupidQuestions', 'LifeProTips', 'BuyItForLife', 'explainlikeimfive', 'todayilearned']

/** Any community: what it is about follows from its name where it is not a known one. */
export function communityNamed(name: string): Community {
  const named = byName.get(name.toLowerCase())
  if (named) return named
  const phrase = splitName(name.toLowerCase())
    .map((part) => part.replaceAll('_', ' '))
    .join(/_/.test(name) ? '' : ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const about = phrase || name
  return { name: name.toLowerCase(), subjects: [about, `${about} for beginners`, `${about} prices`, `old ${about}`] }
}

const searchable = [...byName.values()].map((community) => ({
  community,
  text: ` ${community.name} ${community.subjects.join(' ')}`.toLowerCase(),
}))

/** Words that say little about where a post belongs. */
const GENERAL_WORDS = new Set(
  'best price cost error fast machine time year city first new good setup start starter way'.split(' '),
)
const distinctive = (words: readonly string[]): string[] =>
  words
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => word.length > 3 && !GENERAL_WORDS.has(word))

/** The known communities that have the most of the words. */
export function communitiesAbout(words: readonly string[]): Community[] {
  const stems = distinctive(words).map((word) => ` ${word}`)
  const rated = searchable.map(({ community, text }) => ({
    community,
    hits: stems.filter((stem) => text.includes(stem)).length,
  }))
  const max = Math.max(...rated.map(({ hits }) => hits))
  return max === 0 ? [] : rated.filter(({ hits }) => hits === max).map(({ community }) => community)
}

/** Where a post about these words is likely to be; `fitting` are those of `communitiesAbout`. */
export function communityFor(words: readonly string[], fitting: readonly Community[], draw: Draw): Community {
  const own = distinctive(words).filter((word) => /^[a-z]{4,20}$/.test(word))
  const chance = draw.chance('which community')
  if (fitting.length > 0 && chance < 0.8) return draw.pick('fitting', fitting)
  if (own.length > 0 && chance < 0.3) return communityNamed(draw.pick('own', own))
  return communityNamed(draw.pick('general', GENERAL))
}

/** A subject that somebody posts about who has none in mind. */
export const anySubject = (seed: string): string => {
  const draw = drawFrom(`subject ${seed}`)
  return draw.pick('subject', draw.pick('community', [...byName.values()]).subjects)
}
