import { z } from 'zod'
import { type ProviderContext, parseProviderJson, unknownFormatError } from '../provider'
import { lenientBoolean, lenientObject, lenientString } from '../provider-fields'
import { expiredTokenError, innertubeError, VIDEO_PROVIDER, videoError } from './errors'
import { callInnertube } from './innertube'
import { fetchPlayer, unavailableVideoError } from './player'
import type { VideoCommentRow } from './shape'
import { parseRoundedCount } from './text-fields'
import { fetchWatchPage, findContinuationToken } from './watch-page'

const EDITED = '(edited)'

const withoutEdited = (text: string): string => (text.endsWith(EDITED) ? text.slice(0, -EDITED.length).trimEnd() : text)

export type VideoCommentPage = { comments: VideoCommentRow[]; next: string | null }

/**
 * The token of the first page of a video's comments. Throws `upstream_error` with the reason when
 * there are none.
 */
export async function fetchFirstCommentToken(context: ProviderContext, videoId: string): Promise<string> {
  const { comments } = await fetchWatchPage(context, videoId)
  if (comments?.token) return comments.token
  const missing = comments ? null : unavailableVideoError(await fetchPlayer(context, videoId))
  throw missing ?? videoError('not_found', 'Comments are turned off for this video.')
}

const Items = z.object({ continuationItems: z.array(z.unknown()).default([]) })
const CommentResponse = z.object({
  onResponseReceivedEndpoints: z.array(
    z.object({ reloadContinuationItemsCommand: Items.optional(), appendContinuationItemsAction: Items.optional() }),
  ),
  frameworkUpdates: lenientObject({ entityBatchUpdate: z.object({ mutations: z.array(z.unknown()) }) }),
})

/** A thread holds keys; text, author and counts are in a separate list, by these keys. */
const Thread = z.object({
  commentThreadRenderer: z.object({
    commentViewModel: z.object({
      commentViewModel: z.object({ commentKey: z.string(), pinnedText: z.string().optional() }),
    }),
  }),
})

const Entity = z.object({
  payload: z.object({
    commentEntityPayload: z.object({
      key: z.string(),
      properties: z.object({
        commentId: z.string(),
        content: z.object({ content: z.string() }),
        publishedTime: lenientString,
      }),
      author: z.object({
        channelId: lenientString,
        displayName: lenientString,
        isVerified: lenientBoolean,
        isCreator: lenientBoolean,
      }),
      toolbar: z.object({ likeCountNotliked: lenientString, replyCount: lenientString }),
    }),
  }),
})
type Entity = z.output<typeof Entity>['payload']['commentEntityPayload']

/** POST /youtubei/v1/next with a page's token: about 20 comments. Throws `upstream_error`. */
export async function fetchInnertubeComments(context: ProviderContext, token: string): Promise<VideoCommentPage> {
  const response = await callInnertube(context, 'next', { continuation: token })
  if (response.status === 400) throw expiredTokenError(response)
  if (response.status !== 200) throw innertubeError(response)
  const body = parseProviderJson(VIDEO_PROVIDER, response.text, CommentResponse)
  const items = body.onResponseReceivedEndpoints.flatMap(
    (e) => (e.reloadContinuationItemsCommand ?? e.appendContinuationItemsAction)?.continuationItems ?? [],
  )
  const entities = new Map<string, Entity>()
  for (const mutation of body.frameworkUpdates?.entityBatchUpdate.mutations ?? []) {
    const entity = Entity.safeParse(mutation).data?.payload.commentEntityPayload
    if (entity) entities.set(entity.key, entity)
  }
  const threads = items.filter((item) => isThread(item))
  const comments = threads.flatMap((item) => {
    const view = Thread.safeParse(item).data?.commentThreadRenderer.commentViewModel.commentViewModel
    const entity = view && entities.get(view.commentKey)
    return entity ? [commentOf(entity, view.pinnedText !== undefined)] : []
  })
  if (threads.length > 0 && comments.length === 0) throw unknownFormatError(VIDEO_PROVIDER)
  return { comments, next: findContinuationToken(items) }
}

const isThread = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'commentThreadRenderer' in item

const commentOf = ({ properties, author, toolbar }: Entity, isPinned: boolean): VideoCommentRow => ({
  commentId: properties.commentId,
  text: properties.content.content,
  author: author.displayName || null,
  authorId: author.channelId || null,
  isByChannelOwner: author.isCreator,
  isAuthorVerified: author.isVerified,
  likeCount: parseRoundedCount(toolbar.likeCountNotliked),
  replyCount: parseRoundedCount(toolbar.replyCount),
  publishedAt: null,
  publishedText: properties.publishedTime ? withoutEdited(properties.publishedTime) : null,
  isEdited: /\(edited\)$/.test(properties.publishedTime ?? ''),
  isPinned,
})
