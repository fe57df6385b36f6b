import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import type { ProviderContext } from '../provider'
import { lenient, lenientObject, toIsoTime } from '../provider-fields'
import { fetchDataApi } from './data-api'
import type { VideoCommentPage } from './innertube-comments'
import type { VideoCommentRow } from './shape'

const Item = z.object({
  snippet: z.object({
    totalReplyCount: lenient(z.int()),
    topLevelComment: z.object({
      id: z.string(),
      snippet: z.object({
        /** Missing, with an empty name, for a deleted account. */
        authorChannelId: lenientObject({ value: z.string() }),
        authorDisplayName: z.string().nullish(),
        channelId: z.string().nullish(),
        textDisplay: z.string().default(''),
        textOriginal: z.string().nullish(),
        likeCount: lenient(z.int()),
        publishedAt: z.string().optional(),
        updatedAt: z.string().optional(),
      }),
    }),
  }),
})
const Page = z.object({ items: z.array(Item), nextPageToken: z.string().min(1).optional() })

/** A page of commentThreads.list, best comments first, at most 100. Throws `upstream_error`. */
export async function fetchDataApiComments(
  context: ProviderContext,
  { videoId, limit, token }: { videoId: string; limit: number; token: string | undefined },
): Promise<VideoCommentPage> {
  const query = {
    part: 'snippet',
    videoId,
    maxResults: String(Math.min(limit, 100)),
    order: 'relevance',
    textFormat: 'plainText',
    pageToken: token,
  }
  const { items, nextPageToken } = await fetchDataApi(context, 'commentThreads', query, Page)
  return { comments: items.map(commentOf), next: nextPageToken ?? null }
}

function commentOf({ snippet: thread }: z.output<typeof Item>): VideoCommentRow {
  const { id, snippet } = thread.topLevelComment
  const channelId = snippet.authorChannelId?.value ?? null
  const publishedAt = toIsoTime(snippet.publishedAt)
  const updatedAt = toIsoTime(snippet.updatedAt)
  return {
    commentId: id,
    text: snippet.textOriginal ?? withoutMarkup(snippet.textDisplay),
    author: snippet.authorDisplayName || null,
    authorId: channelId,
    isByChannelOwner: channelId === null || !snippet.channelId ? null : channelId === snippet.channelId,
    isAuthorVerified: null,
    likeCount: snippet.likeCount ?? null,
    replyCount: thread.totalReplyCount ?? null,
    publishedAt,
    publishedText: null,
    isEdited: updatedAt !== null && updatedAt !== publishedAt,
    isPinned: null,
  }
}

/** The text without the markup that it may have even where plain text was requested. */
const withoutMarkup = (html: string): string =>
  decodeHTMLStrict(html.replace(/<br\s*\/?>/gi, '\n').replace(/<\/?(?:a|b|i|s|del|strong|em)\b[^<>]*>/gi, ''))
