/**
 * Made-up posts of the forum's sandbox, in the provider's field names; everything follows from a
 * post's number or id.
 */

const TOPICS = [
  ['sailing', 'Reefing early & often', 'The old rule <reef when you first think of it> still holds.'],
  ['bread', 'A rye starter that survives holidays', 'Feed it, chill it, forget it for two weeks.'],
  ['gardening', 'Tomatoes on a north-facing balcony', 'Cherry varieties did it, the large ones did not.'],
  ['radio', 'First contact on 20 metres', 'Five watts and a wire, 1,900 km.'],
  ['trains', 'The night line to the coast runs again', 'Three couchettes and a dining car.'],
] as const

const NEWEST_S = 1_767_225_600
const HOUR_S = 3_600
const KNOWN = 60
const PREFIX = '1sb'

/** The same number for the same text, below `below`. */
export const pickByHash = (text: string, below: number): number =>
  [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 999_983, 7) % below

/** Ids of the posts that searches and listings know, newest first. */
export const knownIds = Array.from({ length: KNOWN }, (_, i) => `${PREFIX}${i.toString(36).padStart(2, '0')}`)

const numberOf = (id: string): number => {
  const known = knownIds.indexOf(id)
  return known === -1 ? pickByHash(id, KNOWN) : known
}

/** A post as in a listing's `data`; `community` is where it is asked for, when that matters. */
export function makeRedditPost(id: string, community?: string) {
  const n = numberOf(id)
  const [home, subject, words] = TOPICS[n % TOPICS.length] ?? TOPICS[0]
  const subreddit = community ?? home
  const permalink = `/r/${subreddit}/comments/${id}/${subject.toLowerCase().replace(/\W+/g, '_')}/`
  const isLink = n % 4 === 1
  const isDeleted = n % 7 === 3
  const isRemoved = n % 11 === 6
  return {
    id,
    name: `t3_${id}`,
    title: `${subject}, part ${n + 1}`,
    author: isDeleted ? '[deleted]' : `sandbox_user_${n % 9}`,
    ...(!isDeleted && { author_fullname: `t2_sb${n % 9}` }),
    subreddit,
    subreddit_name_prefixed: `r/${subreddit}`,
    selftext: isLink ? '' : isDeleted ? '[deleted]' : isRemoved ? '[removed]' : words,
    is_self: !isLink,
    domain: isLink ? 'example.com' : `self.${subreddit}`,
    url: isLink ? `https://example.com/articles/${n}` : `https://www.reddit.com${permalink}`,
    permalink,
    score: 900 - n * 7,
    ups: 900 - n * 7,
    upvote_ratio: 0.97,
    num_comments: 40 - (n % 20),
    created_utc: NEWEST_S - n * HOUR_S,
    created: NEWEST_S - n * HOUR_S + 28_800,
    edited: n % 5 === 2 ? NEWEST_S - n * HOUR_S + 600 : false,
    link_flair_text: n % 3 === 0 ? 'Guide' : null,
    over_18: false,
    spoiler: n % 13 === 6,
    locked: false,
    stickied: false,
    is_video: false,
    thumbnail: isLink ? 'https://b.thumbs.example.com/1.jpg' : 'self',
    ...(isRemoved && { removed_by_category: 'moderator' }),
    ...(n % 10 === 8 && gallery(id)),
    ...(n % 10 === 9 && { crosspost_parent_list: [{ id: knownIds[0], subreddit: home, title: subject }] }),
  }
}

const gallery = (id: string) => ({
  is_gallery: true,
  gallery_data: { items: [{ media_id: `${id}m`, id: 1 }] },
  media_metadata: {
    [`${id}m`]: {
      status: 'valid',
      e: 'Image',
      s: { u: `https://preview.example.com/${id}.jpg?width=640&amp;s=sandbox` },
    },
  },
})
