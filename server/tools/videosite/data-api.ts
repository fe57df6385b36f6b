import { z } from 'zod'
import type { AppError, Reason } from '../../errors'
import {
  callProvider,
  type ProviderContext,
  type ProviderResponse,
  parseProviderJson,
  toQueryString,
} from '../provider'
import { providerError, readErrorBody } from '../provider-errors'
import { expiredTokenError, innertubeError, VIDEO_PROVIDER, videoError } from './errors'
import { videositeSettings } from './settings'

/**
 * True when the operator has a key for the Data API, which then serves everything but transcripts.
 */
export const hasDataApiKey = (): boolean => videositeSettings().YOUTUBE_API_KEY !== undefined

/**
 * GET of the YouTube Data API v3, https://developers.google.com/youtube/v3/docs. Returns the body
 * of a 200, parsed by `shape`. Throws `upstream_error`.
 */
export async function fetchDataApi<T extends z.ZodType>(
  context: ProviderContext,
  resource: 'videos' | 'channels' | 'search' | 'commentThreads',
  query: Record<string, string | undefined>,
  shape: T,
): Promise<z.output<T>> {
  const response = await callProvider(context, {
    provider: VIDEO_PROVIDER,
    url: `${dataApiUrl()}/${resource}?${toQueryString(query)}`,
    // The key goes into a header, so that logs of URLs do not hold it.
    headers: { accept: 'application/json', 'x-goog-api-key': videositeSettings().YOUTUBE_API_KEY ?? '' },
  })
  if (response.status !== 200) throw dataApiError(response)
  return parseProviderJson(VIDEO_PROVIDER, response.text, shape)
}

/** The Data API has its own host; at an address that the operator chose it has its own path. */
function dataApiUrl(): string {
  const base = videositeSettings().YOUTUBE_BASE_URL
  return `${/\byoutube\.com$/.test(new URL(base).hostname) ? 'https://www.googleapis.com' : base}/youtube/v3`
}

const ErrorBody = z.object({
  error: z.object({
    message: z.string().default(''),
    errors: z.array(z.object({ reason: z.string().default('') })).default([]),
    details: z.array(z.object({ reason: z.string().default('') })).default([]),
  }),
})

const USED_UP = `${VIDEO_PROVIDER} has no quota left for this gateway today. Try again after midnight, Pacific time.`

/** Reasons: https://developers.google.com/youtube/v3/docs/errors. One status has many of them. */
const MEANINGS: Record<string, [Reason, string]> = {
  quotaExceeded: ['provider_access', USED_UP],
  dailyLimitExceeded: ['provider_access', USED_UP],
  commentsDisabled: ['not_found', 'Comments are turned off for this video.'],
  videoNotFound: ['not_found', 'There is no such video, or it is not public.'],
}
const EXPIRED_TOKEN = new Set(['invalidPageToken', 'processingFailure'])

/**
 * The error for a response other than 200. A wrong key has status 400, and is the operator's to
 * fix.
 */
export function dataApiError(response: ProviderResponse): AppError {
  const { error } = readErrorBody(response, ErrorBody) ?? {}
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason)
  const isRateLimit = response.status === 429 || reasons.some((reason) => /rateLimitExceeded/i.test(reason))
  if (isRateLimit) return providerError(VIDEO_PROVIDER, response, { failure: 'rateLimit' })
  if (reasons.some((reason) => EXPIRED_TOKEN.has(reason))) return expiredTokenError(response)
  const meaning = reasons.map((reason) => MEANINGS[reason]).find((known) => known !== undefined)
  if (meaning) return videoError(...meaning, response)
  const isKeyRefused =
    reasons.some((reason) => /key|accessNotConfigured|SERVICE_DISABLED/i.test(reason)) ||
    /API key/i.test(error?.message ?? '')
  return isKeyRefused ? providerError(VIDEO_PROVIDER, response, { failure: 'access' }) : innertubeError(response)
}
