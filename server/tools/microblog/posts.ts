import { z } from 'zod'
import { checkProviderData } from '../provider'
import type { MicroblogResponse } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { EntityLinks, lenientCount, lenientIsoTime, lenientString, toReadableText } from './links'
import { includedUsers, type MicroblogUserRow, USER_FIELDS } from './users'

/** https://docs.x.com/x-api/fundamentals/data-dictionary#tweet: without these only id and text come. */
export const POST_QUERY = {
  'tweet.fields':
    'attachments,author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.author_id',
  'user.fields': USER_FIELDS,
  'media.fields': 'alt_text,preview_image_url,type,url',
}

const Note = z.object({ text: z.string(), entities: EntityLinks }).nullish().catch(null)
const References = z
  .array(z.object({ type: z.string(), id: z.string() }))
  .nullish()
  .catch(null)
const VendorMedia = z.object({
  media_key: z.string(),
  type: z.string(),
  url: lenientString,
  preview_image_url: lenientString,
  alt_text: lenientString,
})

/** In the words of before and after August 2026, when tweets became posts and retweets reposts. */
const VendorPost = z.object({
  id: z.string().min(1),
  text: z.string(),
  author_id: lenientString,
  conversation_id: lenientString,
  in_reply_to_user_id: lenientString,
  created_at: lenientIsoTime,
  lang: lenientString,
  entities: EntityLinks,
  note_tweet: Note,
  note_post: Note,
  referenced_tweets: References,
  referenced_posts: References,
  attachments: z
    .object({ media_keys: z.array(z.string()) })
    .nullish()
    .catch(null),
  public_metrics: z
    .object({
      retweet_count: lenientCount,
      repost_count: lenientCount,
      reply_count: lenientCount,
      like_count: lenientCount,
      quote_count: lenientCount,
      bookmark_count: lenientCount,
      impression_count: lenientCount,
    })
    .nullish()
    .catch(null),
})
type VendorPost = z.output<typeof VendorPost>

const count = z.number().nullable()
const Reference = z.object({
  type: z.string().describe('repost, quote or reply'),
  postId: z.string(),
  authorId: z.string().nullable(),
  authorUsername: z.string().nullable(),
  text: z.string().nullable().describe('Null when that post is gone or not public'),
})

/** What every microblog tool says about a post; its author in full stands beside the rows, once. */
export const MicroblogPostRow = z.object({
  postId: z.string(),
  url: z.string(),
  text: z.string(),
  authorId: z.string().nullable(),
  authorUsername: z.string().nullable().describe('Null when the account is gone or suspended'),
  createdAt: z.iso.datetime().nullable(),
  lang: z.string().nullable(),
  conversationId: z.string().nullable().describe('Id of the post that began the conversation'),
  inReplyToUserId: z.string().nullable(),
  likeCount: count,
  repostCount: count,
  replyCount: count,
  quoteCount: count,
  bookmarkCount: count,
  viewCount: count,
  references: z.array(Reference).describe('Posts that this one reposts, quotes or answers'),
  media: z.array(z.object({ type: z.string(), url: z.string().nullable(), altText: z.string().nullable() })),
})
export type MicroblogPostRow = z.output<typeof MicroblogPostRow>

/** The posts among an answer's data (none when it has no data) and the accounts they speak of. Throws `upstream_error`. */
export function readMicroblogPosts(answer: MicroblogResponse): {
  posts: MicroblogPostRow[]
  users: MicroblogUserRow[]
} {
  const data = checkProviderData(MICROBLOG_PROVIDER, answer.data ?? [], z.array(VendorPost))
  const users = includedUsers(answer)
  const names = new Map(users.map((user) => [user.userId, user.username]))
  const { includes } = answer
  const others = [...(includes?.tweets ?? []), ...(includes?.posts ?? [])].flatMap(
    (p) => VendorPost.safeParse(p).data ?? [],
  )
  const known = new Map(others.map((other) => [other.id, other]))
  const media = new Map((includes?.media ?? []).flatMap((item) => mediaOf(item)))

  const posts = data.map((post) => {
    const references = (post.referenced_tweets ?? post.referenced_posts ?? []).map((r) => reference(r, known, names))
    const { public_metrics: counts } = post
    return {
      postId: post.id,
      url: `https://x.com/i/status/${post.id}`,
      text: wholeText(post, references),
      authorId: post.author_id,
      authorUsername: names.get(post.author_id ?? '') ?? null,
      createdAt: post.created_at,
      lang: post.lang,
      conversationId: post.conversation_id,
      inReplyToUserId: post.in_reply_to_user_id,
      likeCount: counts?.like_count ?? null,
      repostCount: counts?.retweet_count ?? counts?.repost_count ?? null,
      replyCount: counts?.reply_count ?? null,
      quoteCount: counts?.quote_count ?? null,
      bookmarkCount: counts?.bookmark_count ?? null,
      viewCount: counts?.impression_count ?? null,
      references,
      media: (post.attachments?.media_keys ?? []).flatMap((key) => media.get(key) ?? []),
    }
  })
  return { posts, users }
}

/** Long posts have their text in the note. */
function textOf(post: VendorPost): string {
  const note = post.note_tweet ?? post.note_post
  return toReadableText(note?.text ?? post.text, [...post.entities, ...(note?.entities ?? [])])
}

/** A repost's own text is cut; the whole stands in the post it repeats. */
function wholeText(post: VendorPost, references: z.output<typeof Reference>[]): string {
  const text = textOf(post)
  const original = references.find(({ type }) => type === 'repost')?.text
  const sign = /^RT @\w+: /.exec(text)?.[0]
  return original && sign ? sign + original : text
}

const TYPES: Record<string, string> = {
  retweeted: 'repost',
  reposted: 'repost',
  quoted: 'quote',
  replied_to: 'reply',
}

function reference(
  { type, id }: { type: string; id: string },
  known: Map<string, VendorPost>,
  names: Map<string, string>,
) {
  const post = known.get(id)
  const authorId = post?.author_id ?? null
  return {
    type: TYPES[type] ?? type,
    postId: id,
    authorId,
    authorUsername: names.get(authorId ?? '') ?? null,
    text: post ? textOf(post) : null,
  }
}

/** Videos have no address of their own here, only a picture. */
function mediaOf(item: unknown): [string, MicroblogPostRow['media'][number]][] {
  const { data } = VendorMedia.safeParse(item)
  if (!data) return []
  return [[data.media_key, { type: data.type, url: data.url ?? data.preview_image_url, altText: data.alt_text }]]
}
