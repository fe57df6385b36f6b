import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { callProvider, parseProviderJson } from '../provider'
import {
  isQuotaExhausted,
  MICROBLOG_PROVIDER,
  MicroblogProblem,
  type MicroblogSubject,
  microblogError,
  microblogRetryDelayS,
  notVisibleError,
} from './errors'
import { microblogSettings } from './settings'

/** True when this gateway has an app registered with the vendor. */
export const isMicroblogConfigured = (): boolean => Boolean(microblogSettings().X_BEARER_TOKEN)

const things = z.array(z.unknown()).nullish().catch(null)

/**
 * Every answer, https://docs.x.com/x-api/fundamentals/response-codes-and-errors: `data` is missing when there is
 * nothing; `errors` beside `data` tell of parts that are not shown. Since 2026 tweets may be called posts.
 */
const Answer = z.object({
  data: z
    .unknown()
    .optional()
    .transform((data) => data ?? undefined),
  includes: z.object({ users: things, tweets: things, posts: things, media: things }).nullish().catch(null),
  errors: z.array(MicroblogProblem).nullish().catch(null),
  meta: z
    .object({ next_token: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
})
export type MicroblogResponse = z.output<typeof Answer>

/**
 * GET of the X API v2, https://docs.x.com/x-api/introduction, with the app's bearer token. Status 200 with nothing but
 * `errors` is the usual form of "not found", "suspended" and "protected". Throws `upstream_error`.
 */
export async function fetchMicroblog(
  context: ToolContext,
  path: string,
  query: Record<string, string | undefined>,
  subject: MicroblogSubject,
): Promise<MicroblogResponse> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const reply = await callProvider(context, {
    vendor: MICROBLOG_PROVIDER,
    url: `${microblogSettings().X_BASE_URL}${path}?${new URLSearchParams(given)}`,
    headers: {
      authorization: `Bearer ${microblogSettings().X_BEARER_TOKEN}`,
      accept: 'application/json',
      'user-agent': 'tollgate/0.1.0',
    },
    retryAfterS: (r) => (isQuotaExhausted(r) ? null : r.status === 429 ? (microblogRetryDelayS(r) ?? 1) : 0.5),
  })
  if (reply.status !== 200) throw microblogError(reply, subject)
  const answer = parseProviderJson(MICROBLOG_PROVIDER, reply.text, Answer)
  if (answer.data !== undefined || answer.meta) return answer
  if (answer.errors?.length) throw notVisibleError(answer.errors[0], subject)
  throw new AppError('upstream_error', `${MICROBLOG_PROVIDER} sent an answer of an unknown form.`)
}
