import { z } from 'zod'
import { defineTool, type ToolContext } from '../define'
import { READS_UNTRUSTED_TEXT } from '../exposure'
import { readCommentCursor, writeCommentCursor } from './comment-cursor'
import { hasDataApiKey } from './data-api'
import { fetchDataApiComments } from './data-api-comments'
import { fetchFirstCommentToken, fetchInnertubeComments, type VideoCommentPage } from './innertube-comments'
import { VideoCommentRow } from './shape'
import { VideoId } from './video-id'

/** The vendor's pages have about 20 comments; one call reads at most so many. */
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
      limit: z
        .number()
        .multipleOf(1, 'must be a whole number')
        .min(1)
        .describe(`Most comments to give, about 20 a page; a call gives at most ${MAX_ROWS}`),
    })
    .superRefine((input, check) => {
      if (input.continuationToken === undefined) return
      if (readCommentCursor(input.continuationToken)?.videoId === input.videoId) return
      const message = 'must be nextCursor of the previous page of the same video'
      check.addIssue({ code: 'custom', path: ['continuationToken'], message })
    }),
  sandboxExample: { videoId: 'sandbox0004', limit: 20 },
  output: z.object({
    rows: z.array(VideoCommentRow),
    nextCursor: cursor.describe('The next value of continuationToken; null on the last page'),
    continuationToken: cursor.describe('The same as nextCursor'),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_UNTRUSTED_TEXT,
  available: () => true,
  async run({ videoId, continuationToken, limit }, context) {
    const start = continuationToken === undefined ? null : readCommentCursor(continuationToken)
    const asked = { videoId, limit: Math.min(limit, MAX_ROWS), start }
    const { rows, next } = hasDataApiKey() ? await fromData(context, asked) : await fromInnertube(context, asked)
    const nextCursor = next && writeCommentCursor({ videoId, ...next })
    return { rows, nextCursor, continuationToken: nextCursor }
  },
})

type Place = { token: string; skip: number }
type Asked = { videoId: string; limit: number; start: Place | null }
type Found = { rows: VideoCommentRow[]; next: Place | null }

/** Pages have their own size: what a caller did not want of one is where the next call goes on. */
async function fromInnertube(context: ToolContext, { videoId, limit, start }: Asked): Promise<Found> {
  const rows: VideoCommentRow[] = []
  let place: Place | null = start ?? { token: await fetchFirstCommentToken(context, videoId), skip: 0 }
  for (let page = 0; place !== null && page < MAX_PAGES && rows.length < limit; page++) {
    const { token, skip }: Place = place
    const found: VideoCommentPage = await fetchInnertubeComments(context, token)
    const wanted = found.comments.slice(skip, skip + limit - rows.length)
    rows.push(...wanted)
    const given: number = skip + wanted.length
    const onward: Place | null = found.next === null || found.next === token ? null : { token: found.next, skip: 0 }
    place = given < found.comments.length ? { token, skip: given } : onward
  }
  return { rows, next: place }
}

async function fromData(context: ToolContext, { videoId, limit, start }: Asked): Promise<Found> {
  const { comments, next } = await fetchDataApiComments(context, { videoId, limit, token: start?.token })
  return { rows: comments, next: next === null ? null : { token: next, skip: 0 } }
}
