import { z } from 'zod'
import { callProvider, type ProviderContext, parseProviderJson, toQueryString, unknownFormatError } from '../provider'
import { lenient, lenientObject, lenientString } from '../provider-fields'
import {
  MICROBLOG_PROVIDER,
  MicroblogProblem,
  type MicroblogSubject,
  microblogError,
  microblogRetryDelayS,
  notVisibleError,
} from './errors'
import { microblogSettings } from './settings'

/** True when the operator has registered an app with the provider. */
export const isMicroblogConfigured = (): boolean => Boolean(microblogSettings().X_BEARER_TOKEN)

const items = lenient(z.array(z.unknown()))

/**
 * Every response, https://docs.x.com/x-api/fundamentals/response-codes-and-errors: `data` is
 * missing when there is nothing; `errors` beside `data` are about parts that are not shown. Since
 * 2026 tweets may be called posts.
 */
const MicroblogResponse = z.object({
  data: z
    .unknown()
    .optional()
    .transform((data) => data ?? undefined),
  includes: lenientObject({ users: items, tweets: items, posts: items, media: items }),
  errors: lenient(z.array(MicroblogProblem)),
  meta: lenientObject({ next_token: lenientString }),
})
export type MicroblogResponse = z.output<typeof MicroblogResponse>

/**
 * GET of the X API v2, https://docs.x.com/x-api/introduction, with the app's bearer token. Status
 * 200 with nothing but `errors` is the usual form of "not found", "suspended" and "protected".
 * Throws `upstream_error`.
 */
export async function fetchMicroblog(
  context: ProviderContext,
  path: string,
  query: Record<string, string | undefined>,
  subject: MicroblogSubject,
): Promise<MicroblogResponse> {
  const response = await callProvider(context, {
    provider: MICROBLOG_PROVIDER,
    url: `${microblogSettings().X_BASE_URL}${path}?${toQueryString(query)}`,
    headers: {
      authorization: `Bearer ${microblogSettings().X_BEARER_TOKEN}`,
      accept: 'application/json',
      'user-agent': 'tollgate/0.1.0',
    },
    retryDelayS: microblogRetryDelayS,
  })
  if (response.status !== 200) throw microblogError(response, subject)
  const body = parseProviderJson(MICROBLOG_PROVIDER, response.text, MicroblogResponse)
  if (body.data !== undefined || body.meta) return body
  if (body.errors?.length) throw notVisibleError(body.errors[0], subject)
  throw unknownFormatError(MICROBLOG_PROVIDER)
}
