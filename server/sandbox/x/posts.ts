/**
 * Made-up accounts and posts of the microblog's sandbox, in the provider's field names; each
 * follows from its number.
 */

const USERS = 40
const FIRST_USER = 9_000_000_000
const FIRST_POST = 1_990_000_000_000_000_000n
const POSTS_EACH = 43
const NEWEST_MS = Date.UTC(2026, 0, 1)

const SUBJECTS = ['the tide tables', 'a rye starter', 'the night train', 'short-wave radio', 'balcony tomatoes']
const KINDS = ['none', 'none', 'blue', 'none', 'business', 'none', 'none', 'government']

/** An account, its posts and followers; any id has them. */
const xUserId = (n: number): string => String(FIRST_USER + (n % USERS))
export const userNumber = (id: string): number => Number(BigInt(id) % BigInt(FIRST_USER)) % USERS

/** One number for a name: `sandbox_7` is account 7. */
export function numberOfName(name: string): number {
  const own = /^sandbox_(\d{1,2})$/.exec(name)?.[1]
  if (own !== undefined) return Number(own) % USERS
  return [...name.toLowerCase()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7) % USERS
}

/**
 * An account as `data` or in `includes.users`; `full` is false when no user.fields were asked for.
 */
export function makeXUser(n: number, { full, username }: { full: boolean; username?: string }) {
  const brief = {
    id: xUserId(n),
    name: `Sandbox ${n} & friends`.replaceAll('&', '&amp;'),
    username: username ?? `sandbox_${n}`,
  }
  if (!full) return brief
  const kind = KINDS[n % KINDS.length] ?? 'none'
  return {
    ...brief,
    created_at: new Date(NEWEST_MS - (n + 1) * 40 * 86_400_000).toISOString(),
    description: n % 6 === 5 ? '' : `Notes on ${SUBJECTS[n % SUBJECTS.length]} &amp; more https://t.co/bio${n}`,
    entities: {
      description: {
        urls: [{ start: 0, end: 1, url: `https://t.co/bio${n}`, expanded_url: `https://example.com/${n}` }],
      },
    },
    ...(n % 3 === 0 && { location: 'The coast' }),
    profile_image_url: `https://images.example.com/${n}_normal.jpg`,
    protected: false,
    verified: kind !== 'none',
    verified_type: kind,
    // Withheld and very old accounts come without numbers.
    ...(n % 20 !== 19 && {
      public_metrics: { followers_count: 250, following_count: n * 3, tweet_count: POSTS_EACH, listed_count: n },
    }),
  }
}

/** Ids of an account's posts, newest first. */
export const timelineIds = (n: number): string[] => Array.from({ length: POSTS_EACH }, (_, i) => postIdOf(n, i))

const postIdOf = (user: number, i: number): string => String(FIRST_POST + BigInt((POSTS_EACH - i) * USERS + user))

function placeOf(id: string): { user: number; i: number } {
  const n = Number((BigInt(id) % FIRST_POST) % BigInt((POSTS_EACH + 1) * USERS))
  return { user: n % USERS, i: POSTS_EACH - Math.floor(n / USERS) }
}

const authorOf = (id: string): number => placeOf(id).user
export const hasImage = (id: string): boolean => placeOf(id).i % 4 === 2
export const hasVideo = (id: string): boolean => placeOf(id).i % 9 === 7 && !hasImage(id)

/**
 * A post of an account: every fifth repeats another's and is cut, every seventh is long, some have
 * an image or a video.
 */
export function makeXPost(id: string) {
  const { user, i } = placeOf(id)
  const subject = SUBJECTS[(user + i) % SUBJECTS.length] ?? ''
  const other = postIdOf((user + 1) % USERS, 3)
  const isRepost = i % 5 === 4 && id !== other
  const text = `Day ${i} of ${subject} &amp; tea https://t.co/p${i}`
  return {
    id,
    edit_history_tweet_ids: [id],
    text: isRepost ? `RT @sandbox_${(user + 1) % USERS}: Day 3 of ${subject.slice(0, 3)}…` : text,
    author_id: xUserId(user),
    conversation_id: id,
    created_at: new Date(NEWEST_MS - i * 3_600_000 - user * 1000).toISOString(),
    lang: 'en',
    entities: { urls: [{ start: 0, end: 1, url: `https://t.co/p${i}`, expanded_url: `https://example.com/day/${i}` }] },
    public_metrics: {
      retweet_count: i,
      reply_count: i % 4,
      like_count: isRepost ? 0 : 100 - i,
      quote_count: i % 3,
      bookmark_count: i % 2,
      impression_count: 5_000 - i,
    },
    ...(i % 7 === 6 && { note_tweet: { text: `${text} ${'and on it goes '.repeat(20)}to the end.` } }),
    ...(isRepost && { referenced_tweets: [{ type: 'retweeted', id: other }] }),
    ...(hasImage(id) && { attachments: { media_keys: [`3_${id}`] } }),
    ...(hasVideo(id) && { attachments: { media_keys: [`7_${id}`] } }),
  }
}

/**
 * An answer to a post; every fourth answers the answer before it, and the last one's author is
 * gone.
 */
export function makeXReply(to: string, i: number, last: boolean) {
  const id = String(BigInt(to) + BigInt(1_000_000 + i))
  const parent = i % 4 === 3 ? String(BigInt(id) - 1n) : to
  return {
    ...makeXPost(id),
    text: `@sandbox_${authorOf(to)} reply ${i}, &lt;3`,
    author_id: last ? '8999999999' : xUserId(i),
    conversation_id: to,
    in_reply_to_user_id: xUserId(authorOf(to)),
    referenced_tweets: [{ type: 'replied_to', id: parent }],
  }
}
