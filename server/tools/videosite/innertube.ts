import { callProvider, type ProviderContext, type ProviderResponse } from '../provider'
import { innertubeError, VIDEO_PROVIDER } from './errors'
import { videositeSettings } from './settings'

/**
 * The parameters of an InnerTube request: `videoId`, `query`, `params`, `continuation`; `client` if
 * not the web site.
 */
export type InnertubePayload = Record<string, string | boolean>
type Locale = { lang: string; country: string }

/** Reasons and counts are read from English texts. */
const ENGLISH: Locale = { lang: 'en', country: 'US' }

/**
 * Calls InnerTube, the API of the site itself, which only its clients document:
 * https://github.com/LuanRT/YouTube.js. That library makes the request (client versions, context,
 * headers), which goes to the address that the operator set. It neither loads the site's player nor
 * runs its scripts. The response is parsed here, because the library's parser throws on real second
 * pages and does not say why a video is missing. Returns the response whatever its status.
 */
export async function callInnertube(
  context: ProviderContext,
  endpoint: 'player' | 'next' | 'search' | 'get_transcript',
  payload: InnertubePayload,
  { lang, country }: Locale = ENGLISH,
): Promise<ProviderResponse> {
  let response: ProviderResponse | undefined
  const session = await (await loadLibrary()).create({
    lang,
    location: country,
    timezone: 'UTC',
    retrieve_player: false,
    generate_session_locally: true,
    retrieve_innertube_config: false,
    enable_session_cache: false,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      response = await callProvider(context, {
        provider: VIDEO_PROVIDER,
        url: `${videositeSettings().YOUTUBE_BASE_URL}${pathname}${search}`,
        method: 'POST',
        isRead: true,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : undefined,
      })
      return Response.json({})
    },
  })
  await session.actions.execute(`/${endpoint}`, payload)
  if (!response) throw new Error('the library sent no request')
  return response
}

/** The body of a 200. Throws `upstream_error` for any other status. */
export async function fetchInnertube(...call: Parameters<typeof callInnertube>): Promise<string> {
  const response = await callInnertube(...call)
  if (response.status !== 200) throw innertubeError(response)
  return response.text
}

/**
 * A caption track as JSON; empty where the provider wants proof of a browser. Only the query of
 * `address` is used, as it comes from the provider. Null when it is not the address of a caption
 * track.
 */
export async function fetchCaptions(context: ProviderContext, address: string): Promise<string | null> {
  const base = 'https://www.youtube.com'
  if (!URL.canParse(address, base)) return null
  const { pathname, searchParams } = new URL(address, base)
  if (pathname !== '/api/timedtext') return null
  searchParams.set('fmt', 'json3')
  const url = `${videositeSettings().YOUTUBE_BASE_URL}${pathname}?${searchParams}`
  const response = await callProvider(context, { provider: VIDEO_PROVIDER, url, headers: { 'accept-language': 'en' } })
  if (response.status !== 200) throw innertubeError(response)
  return response.text
}

/**
 * Loaded on first use: it takes a second and 50 MB. Its warnings about unknown objects are turned
 * off.
 */
async function loadLibrary() {
  const { Innertube, Log } = await import('youtubei.js')
  Log.setLevel(Log.Level.NONE)
  return Innertube
}
