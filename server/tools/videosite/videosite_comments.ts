import { z } from 'zod'
import { defineTool, type ToolContext } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { cursorFor } from '../paging'
import { readCommentCursor, writeCommentCursor } from './comment-cursor'
import { hasDataApiKey } from './data-api'
import { fetchDataApiComments } from './data-api-comments'
import { fetchFirstCommentToken, fetchInnertubeComments, type VideoCommentPage } from './innertube-comments'
import { VideoCommentRow } from './shape'
import { VideoId } from './video-id'

/** Pages of the provider have about 20 comments; a call reads at most this many pages. */
const MAX_PAGES = 5
const MAX_ROWS = 100

const cursor = z.string().nullable()

export const videositeComments = defineTool({
  id: 'videosite_comments',
  label: 'Video comments',
  capability: 'dataApi',
  description: 'Comments on a YouTube video, best first, about 20 a page, with author, likes and number of replies.',
  params: z
    .strictObject({
      videoId: VideoId,
      continuationToken: z.string().trim().max(8192).optional().describe('nextCursor of the previous page'),
      cursor: cursorFor('continuationToken'),
      limit: z
        .number()
        .multipleOf(1, 'must be a whole number')
        .min(1)
        .describe(`Maximum number of comments, about 20 a page; a call returns at most ${MAX_ROWS}`),
    })
    .superRefine((input, check) => {
      const name = input.cursor === undefined ? 'continuationToken' : 'cursor'
      const cursor = input[name]
      if (cursor === undefined || readCommentCursor(cursor)?.videoId === input.videoId) return
      const message = 'must be nextCursor of the previous page of the same video'
      check.addIssue({ code: 'custom', path: [name], message })
    }),
  sandboxExample: { videoId: 'sandbox0004', limit: 20 },
  output: z.object({
    rows: z.array(VideoCommentRow),
    nextCursor: cursor.describe('Pass it as continuationToken for the next page; null on the last'),
    continuationToken: cursor.describe('The same as nextCursor'),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ videoId, continuationToken, cursor: next = continuationToken, limit }, context) {
    const start = next === undefined ? null : readCommentCursor(next)
    const request = { videoId, limit: Math.min(limit, MAX_ROWS), start }
    const { rows, next: then } = hasDataApiKey()
      ? await fromData(context, request)
      : await fromInnertube(context, request)
    const nextCursor = then && writeCommentCursor({ videoId, ...then })
    return { rows, nextCursor, continuationToken: nextCursor }
  },
})

type CommentPosition = { token: string; skip: number }
type CommentRequest = { videoId: string; limit: number; start: CommentPosition | null }
type FoundComments = { rows: VideoCommentRow[]; next: CommentPosition | null }

/**
 * Pages have their own size: the next call continues within a page of which only a part was
 * returned.
 */
async function fromInnertube(context: ToolContext, { videoId, limit, start }: CommentRequest): Promise<FoundComments> {
  const rows: VideoCommentRow[] = []
  let position: CommentPosition | null = start ?? { token: await fetchFirstCommentToken(context, videoId), skip: 0 }
  for (let page = 0; position !== null && page < MAX_PAGES && rows.length < limit; page++) {
    const { token, skip }: CommentPosition = position
    const found: VideoCommentPage = await fetchInnertubeComments(context, token)
    const wanted = found.comments.slice(skip, skip + limit - rows.length)
    rows.push(...wanted)
    const given: number = skip + wanted.length
    const nextPosition: CommentPosition | null =
      found.next === null || found.next === token ? null : { token: found.next, skip: 0 }
    position = given < found.comments.length ? { token, skip: given } : nextPosition
  }
  return { rows, next: position }
}

async function fromData(context: ToolContext, { videoId, limit, start }: CommentRequest): Promise<FoundComments> {
  const { comments, next } = await fetchDataApiComments(context, { videoId, limit, token: start?.token })
  return { rows: comments, next: next === null ? null : { token: next, skip: 0 } }
}
