import { callProvider, type ProviderContext, type ProviderResponse } from '../provider'
import { innertubeError, VIDEO_PROVIDER } from './errors'
import { videositeSettings } from './settings'

/** What an InnerTube request is about: `videoId`, `query`, `params`, `continuation`; `client` other than the web site. */
export type InnertubePayload = Record<string, string | boolean>
type Locale = { lang: string; country: string }

/** English answers: reasons and counts are read from their words. */
const ENGLISH: Locale = { lang: 'en', country: 'US' }

/**
 * One call of InnerTube, the API behind the site itself, which nobody documents but its clients:
 * https://github.com/LuanRT/YouTube.js. That library makes the request (client versions, context, headers) and we send
 * it to the address the operator set; it neither loads the site's player nor runs its scripts. We read the answer
 * ourselves, because the library's parser throws on real second pages and does not say why a video is missing.
 * Answered whatever the status.
 */
export async function callInnertube(
  context: ProviderContext,
  endpoint: 'player' | 'next' | 'search' | 'get_transcript',
  payload: InnertubePayload,
  { lang, country }: Locale = ENGLISH,
): Promise<ProviderResponse> {
  let reply: ProviderResponse | undefined
  const session = await (await library()).create({
    lang,
    location: country,
    timezone: 'UTC',
    retrieve_player: false,
    generate_session_locally: true,
    retrieve_innertube_config: false,
    enable_session_cache: false,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      reply = await callProvider(context, {
        provider: VIDEO_PROVIDER,
        url: `${videositeSettings().YOUTUBE_BASE_URL}${pathname}${search}`,
        method: 'POST',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : undefined,
      })
      return Response.json({})
    },
  })
  await session.actions.execute(`/${endpoint}`, payload)
  if (!reply) throw new Error('the library sent no request')
  return reply
}

/** The same, with the body of a 200. Throws `upstream_error` for any other. */
export async function fetchInnertube(...call: Parameters<typeof callInnertube>): Promise<string> {
  const reply = await callInnertube(...call)
  if (reply.status !== 200) throw innertubeError(reply)
  return reply.text
}

/**
 * A caption track as JSON; empty where the vendor wants a proof that a browser asks. `address` comes from the vendor:
 * only its query is used. Null when it is not a caption track's.
 */
export async function fetchCaptions(context: ProviderContext, address: string): Promise<string | null> {
  const base = 'https://www.youtube.com'
  if (!URL.canParse(address, base)) return null
  const { pathname, searchParams } = new URL(address, base)
  if (pathname !== '/api/timedtext') return null
  searchParams.set('fmt', 'json3')
  const url = `${videositeSettings().YOUTUBE_BASE_URL}${pathname}?${searchParams}`
  const reply = await callProvider(context, { provider: VIDEO_PROVIDER, url, headers: { 'accept-language': 'en' } })
  if (reply.status !== 200) throw innertubeError(reply)
  return reply.text
}

/** Loaded at the first use: it takes a second and 50 MB. Its warnings about things it does not know help nobody. */
async function library() {
  const { Innertube, Log } = await import('youtubei.js')
  Log.setLevel(Log.Level.NONE)
  return Innertube
}
