import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { fillTemplate } from '../kit/template'
import { dataApi } from './data-api'
import { commentsPage, playerOf, searchPage, transcriptPage, watchPage } from './innertube'
import shapes from './shapes.json'
import { findVideo } from './videos'

/**
 * InnerTube and the YouTube Data API v3 with made-up videos: every id has one, and what a search
 * finds has its words. `sandbox0000` is a live stream, `sandbox0001` has no comments, `sandbox0002`
 * has them turned off.
 * InnerTube has no documentation; forms and reasons follow https://github.com/LuanRT/YouTube.js
 * (`src/parser`, `src/core/endpoints`) and https://github.com/TeamNewPipe/NewPipeExtractor (its
 * recorded answers); the Data API's are documented.
 *
 * Failures, asked for with a video's id (or a word in a query, with a hyphen: `sandbox-html`):
 * `sandbox-429` too often · `sandbox-500` server error · `sandboxhtml` a page of HTML ·
 * `sandboxjson` JSON of another form · `sandboxslow` the usual answer after 5 s · in a query
 * `sandbox-empty`, which finds nothing. Videos that cannot be had: `sandboxpriv` private ·
 * `sandboxgone` removed, as are `nosuchvideo` and other words of the sandbox · `sandboxmemb`
 * members only · `sandboxages` adults only · `sandboxgeos` other country · `sandboxbots` the robot
 * check. Transcripts: `sandboxnocc` no captions · `sandboxtext` the transcript is refused, the
 * caption track answers · `sandboxnull` both are refused.
 */
export const youtubeRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/youtube/youtubei/v1/player', handle: (req) => innertube(req, player) },
  { method: 'POST', path: '/youtube/youtubei/v1/next', handle: (req) => innertube(req, next) },
  { method: 'POST', path: '/youtube/youtubei/v1/search', handle: (req) => innertube(req, search) },
  { method: 'POST', path: '/youtube/youtubei/v1/get_transcript', handle: (req) => innertube(req, getTranscript) },
  { method: 'GET', path: '/youtube/api/timedtext', handle: timedText },
  ...Object.entries(dataApi).map(
    ([name, handle]): SandboxRoute => ({ method: 'GET', path: `/youtube/youtube/v3/${name}`, handle }),
  ),
]

type Body = {
  context?: { client?: { clientName?: string; clientVersion?: string; gl?: string } }
  videoId?: string
  query?: string
  params?: string
  continuation?: string
}

/** Failures every address has. Google's network refuses with HTML and without a Retry-After. */
async function innertube(req: Request, answer: (body: Body) => Response): Promise<Response> {
  const body = (await req.json()) as Body
  if (!body.context?.client?.clientVersion) return invalid()
  const asked = body.videoId ?? body.query ?? ''
  const failure = await provokedFailure('youtube', /sandbox-?(429|500|html|json|slow)/.exec(asked)?.[1])
  if (failure) return failure
  return answer(body)
}

function error(status: string, message: string): Response {
  const errors = [{ message, domain: 'global', reason: status }]
  return Response.json({ error: { code: 400, message, errors, status } }, { status: 400 })
}

const invalid = () => error('INVALID_ARGUMENT', 'Request contains an invalid argument.')

const player = ({ videoId, context }: Body): Response =>
  Response.json(playerOf(videoId ?? '', findVideo(videoId), context?.client?.clientName === 'WEB'))

function next({ videoId, continuation }: Body): Response {
  if (continuation === undefined) return Response.json(watchPage(findVideo(videoId)))
  const [, id, from] = /^comments:([^:]+):(\d+)$/.exec(readToken(continuation)) ?? []
  const video = findVideo(id)
  if (!video) return invalid()
  return Response.json(commentsPage(video, Number(from)))
}

function search({ query, params, continuation, context }: Body): Response {
  const first = { query: query ?? '', filter: params ?? '', from: 0, country: context?.client?.gl ?? 'US' }
  const asked = continuation === undefined ? first : goOn(continuation)
  if (!asked) return invalid()
  return Response.json(searchPage(asked))
}

function goOn(continuation: string) {
  const [, from, filter = '', country = '', query = ''] =
    /^search:(\d+):([^:]*):(\w*):(.*)$/s.exec(readToken(continuation)) ?? []
  return from === undefined ? null : { query, filter, country, from: Number(from) }
}

/** Often refused since 2025: https://github.com/LuanRT/YouTube.js/issues/1102 */
function getTranscript({ params }: Body): Response {
  const id = /^transcript:(.*)$/.exec(readToken(params ?? ''))?.[1]
  const video = findVideo(id)
  if (!video || id === 'sandboxtext' || id === 'sandboxnull')
    return error('FAILED_PRECONDITION', 'Precondition check failed.')
  return Response.json(transcriptPage(video))
}

const readToken = (token: string): string => Buffer.from(decodeURIComponent(token), 'base64').toString('utf8')

/** The caption track as JSON; without a proof of a browser it may be 200 with an empty body. */
function timedText(req: Request): Response {
  const query = new URL(req.url).searchParams
  const video = findVideo(query.get('v') ?? undefined)
  if (!video || query.get('fmt') !== 'json3' || query.has('exp')) {
    return new Response('', { headers: { 'content-type': 'text/html; charset=UTF-8' } })
  }
  const spoken = video.lines.flatMap((line, i) => {
    const segs = line.split(/(?= )/).map((utf8) => ({ utf8 }))
    return fillTemplate<object[]>(shapes.captionLine, { from: 1500 + i * 12_500, after: 1600 + i * 12_500, segs })
  })
  const head = fillTemplate(shapes.captionHead, { durationMs: video.seconds * 1000 })
  return Response.json({ wireMagic: 'pb3', pens: [{}], events: [head, ...spoken] })
}
