import { chancesOf } from '../kit/seed'
import { timeOfAge } from '../kit/time'
import { posterAbout } from '../social/handles'
import { topicKnownAs } from '../social/speaker'
import { subjectsOfAccount, xFiguresOf } from './accounts'
import { MAX_REPLIES, type XPostKey } from './post-id'

/** What posts are found and sorted by. */
export type XPostFigures = ReturnType<typeof figuresOfXPost>

/** Searches reach back a week. */
const OLDEST_MINUTES = 6 * 1440 - 10

export const seedOfXPost = ({ handle, topic, lang, n, reply }: XPostKey): string =>
  `x post ${handle.toLowerCase()}|${topic}|${lang}|${n}|${reply}`

export const rootOf = (key: XPostKey): XPostKey => ({ ...key, reply: 0 })

/** The figures of a post that is not a reply. */
export function figuresOfXPost(key: XPostKey) {
  const seed = seedOfXPost(rootOf(key))
  const [when = 0, heat = 0, link = 0, media = 0, tag = 0, mention = 0, ...more] = chancesOf(seed)
  const [quote = 0, long = 0, share = 0, talk = 0, what = 0] = more
  const subjects = key.topic ? [key.topic] : subjectsOfAccount(key.handle)
  const topic = subjects[Math.floor(what * subjects.length)] ?? key.topic
  const author = key.handle || posterAbout(topicKnownAs(topic).words, seed)
  const { followers, kind, hoursBetween } = xFiguresOf(author)
  // An account's own posts follow each other; what a search finds is of a week.
  const age = key.topic ? 4 + when ** 1.4 * OLDEST_MINUTES : (key.n + 0.2 + when * 0.7) * hoursBetween * 60
  const isRepost = !key.topic && quote < 0.12
  const likes = isRepost ? 0 : Math.round((1 + followers ** 0.52) * 10 ** (heat ** 2 * 1.7 - 0.5))
  return {
    author,
    topic,
    ageMinutes: age,
    createdMs: timeOfAge(age),
    likes,
    reposts: Math.round(likes * (0.05 + share * 0.25)),
    replies: isRepost ? 0 : Math.min(Math.round(likes ** 0.55 * (0.3 + talk)), MAX_REPLIES),
    hasLink: !isRepost && link < 0.35,
    media: isRepost || media > 0.36 ? null : media < 0.24 ? ('photo' as const) : ('video' as const),
    hasTag: !isRepost && tag < 0.4,
    hasMention: !isRepost && mention < 0.12,
    isQuote: !isRepost && quote > 0.94,
    isRepost,
    isLong: !isRepost && long < 0.08,
    isVerified: kind !== 'none',
  }
}
