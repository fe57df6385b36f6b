import { z } from 'zod'
import { parseProviderValue } from '../provider'
import { lenient, lenientNumber, lenientObject, lenientString, lenientTime } from '../provider-fields'
import type { MicroblogResponse } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { EntityLinks, toReadableText } from './links'
import { includedUsers, type MicroblogUserRow, USER_FIELDS } from './users'

/** What agents are shown of a list of posts. */
export const MICROBLOG_COLUMNS = [
  'text',
  'author',
  'publishedAt',
  'likeCount',
  'repostCount',
  'replyCount',
  'viewCount',
  'url',
  'postId',
  'language',
]

/**
 * https://docs.x.com/x-api/fundamentals/data-dictionary#tweet: without these only id and text come.
 */
export const POST_QUERY = {
  'tweet.fields':
    'attachments,author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.author_id',
  'user.fields': USER_FIELDS,
  'media.fields': 'alt_text,preview_image_url,type,url',
}

const Note = lenientObject({ text: z.string(), entities: EntityLinks })
const References = lenient(z.array(z.object({ type: z.string(), id: z.string() })))
const XMedia = z.object({
  media_key: z.string(),
  type: z.string(),
  url: lenientString,
  preview_image_url: lenientString,
  alt_text: lenientString,
})

/**
 * With the names of before and after August 2026, when tweets became posts, and retweets reposts.
 */
const XPost = z.object({
  id: z.string().min(1),
  text: z.string(),
  author_id: lenientString,
  conversation_id: lenientString,
  in_reply_to_user_id: lenientString,
  created_at: lenientTime,
  lang: lenientString,
  entities: EntityLinks,
  note_tweet: Note,
  note_post: Note,
  referenced_tweets: References,
  referenced_posts: References,
  attachments: lenientObject({ media_keys: z.array(z.string()) }),
  public_metrics: lenientObject({
    retweet_count: lenientNumber,
    repost_count: lenientNumber,
    reply_count: lenientNumber,
    like_count: lenientNumber,
    quote_count: lenientNumber,
    bookmark_count: lenientNumber,
    impression_count: lenientNumber,
  }),
})
type XPost = z.output<typeof XPost>

const count = z.number().nullable()
const Reference = z.object({
  type: z.string().describe('repost, quote or reply'),
  postId: z.string(),
  authorId: z.string().nullable(),
  author: z.string().nullable(),
  text: z.string().nullable().describe('Null when that post was deleted or is not public'),
})

/** A post as every microblog tool returns it; the accounts are listed once, beside the rows. */
export const MicroblogPostRow = z
  .object({
    postId: z.string(),
    url: z.string(),
    text: z.string(),
    authorId: z.string().nullable(),
    author: z.string().nullable().describe('Null when the account was deleted or suspended'),
    publishedAt: z.iso.datetime().nullable(),
    language: z.string().nullable(),
    conversationId: z.string().nullable().describe('Id of the post that began the conversation'),
    inReplyToUserId: z.string().nullable(),
    likeCount: count,
    repostCount: count,
    replyCount: count,
    quoteCount: count,
    bookmarkCount: count,
    viewCount: count,
    references: z.array(Reference).describe('Posts that this one reposts, quotes or replies to'),
    media: z.array(z.object({ type: z.string(), url: z.string().nullable(), altText: z.string().nullable() })),
  })
  .meta({ title: 'MicroblogPost' })
export type MicroblogPostRow = z.output<typeof MicroblogPostRow>

/**
 * The posts of a response (none without data), and the accounts they mention. Throws
 * `upstream_error`.
 */
export function readMicroblogPosts(response: MicroblogResponse): {
  posts: MicroblogPostRow[]
  users: MicroblogUserRow[]
} {
  const data = parseProviderValue(MICROBLOG_PROVIDER, response.data ?? [], z.array(XPost))
  const users = includedUsers(response)
  const names = new Map(users.map((user) => [user.userId, user.username]))
  const { includes } = response
  const others = [...(includes?.tweets ?? []), ...(includes?.posts ?? [])].flatMap((p) => XPost.safeParse(p).data ?? [])
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
      author: names.get(post.author_id ?? '') ?? null,
      publishedAt: post.created_at,
      language: post.lang,
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

/** The text of a long post is in its note. */
function textOf(post: XPost): string {
  const note = post.note_tweet ?? post.note_post
  return toReadableText(note?.text ?? post.text, [...post.entities, ...(note?.entities ?? [])])
}

/** The text of a repost is cut; the original has the whole text. */
function wholeText(post: XPost, references: z.output<typeof Reference>[]): string {
  const text = textOf(post)
  const original = references.find(({ type }) => type === 'repost')?.text
  const prefix = /^RT @\w+: /.exec(text)?.[0]
  return original && prefix ? prefix + original : text
}

const TYPES: Record<string, string> = {
  retweeted: 'repost',
  reposted: 'repost',
  quoted: 'quote',
  replied_to: 'reply',
}

function reference({ type, id }: { type: string; id: string }, known: Map<string, XPost>, names: Map<string, string>) {
  const post = known.get(id)
  const authorId = post?.author_id ?? null
  return {
    type: TYPES[type] ?? type,
    postId: id,
    authorId,
    author: names.get(authorId ?? '') ?? null,
    text: post ? textOf(post) : null,
  }
}

/** The API has no URL of a video, only of its preview image. */
function mediaOf(item: unknown): [string, MicroblogPostRow['media'][number]][] {
  const { data } = XMedia.safeParse(item)
  if (!data) return []
  return [[data.media_key, { type: data.type, url: data.url ?? data.preview_image_url, altText: data.alt_text }]]
}
