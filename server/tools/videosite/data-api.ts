import { z } from 'zod'
import type { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse, parseProviderJson } from '../provider'
import { innertubeError, VIDEO_PROVIDER, videoError, videoRateLimitError } from './errors'
import { videositeSettings } from './settings'

/** True when the operator has a key for the Data API: then it answers all but transcripts, which it cannot read. */
export const hasDataApiKey = (): boolean => videositeSettings().YOUTUBE_API_KEY !== undefined

/**
 * GET of the YouTube Data API v3, https://developers.google.com/youtube/v3/docs. The body of a 200 in `shape`; throws
 * `upstream_error`.
 */
export async function fetchDataApi<T extends z.ZodType>(
  context: ToolContext,
  resource: 'videos' | 'channels' | 'search' | 'commentThreads',
  query: Record<string, string | undefined>,
  shape: T,
): Promise<z.output<T>> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const reply = await callProvider(context, {
    vendor: VIDEO_PROVIDER,
    url: `${dataBase()}/${resource}?${new URLSearchParams(given)}`,
    // In a header, so that it stands in no log of addresses.
    headers: { accept: 'application/json', 'x-goog-api-key': videositeSettings().YOUTUBE_API_KEY ?? '' },
  })
  if (reply.status !== 200) throw dataApiError(reply)
  return parseProviderJson(VIDEO_PROVIDER, reply.text, shape)
}

/** The Data API has a host of its own; below an address the operator chose it is found under its own path. */
function dataBase(): string {
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

/** Reasons: https://developers.google.com/youtube/v3/docs/errors. One status has many of them. */
const REASONS: Record<string, string> = {
  quotaExceeded: `This gateway has used up what ${VIDEO_PROVIDER.toLowerCase()} allows it in a day. Try again after midnight, Pacific time.`,
  dailyLimitExceeded: `This gateway has used up what ${VIDEO_PROVIDER.toLowerCase()} allows it in a day. Try again after midnight, Pacific time.`,
  commentsDisabled: 'Comments are turned off for this video.',
  videoNotFound: 'There is no such video, or it is not public.',
  invalidPageToken: `${VIDEO_PROVIDER} no longer knows this continuationToken. Start from the first page.`,
  processingFailure: `${VIDEO_PROVIDER} no longer knows this continuationToken. Start from the first page.`,
}

/** What an answer other than 200 means to the caller. A wrong key is the operator's fault, though its status is 400. */
export function dataApiError(reply: ProviderResponse): AppError {
  const { error } = readError(reply.text)
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map((e) => e.reason)
  if (reply.status === 429 || reasons.some((r) => /rateLimitExceeded/i.test(r))) return videoRateLimitError(reply)
  const known = reasons.map((r) => REASONS[r]).find((words) => words !== undefined)
  if (known) return videoError(known, reply)
  if (
    reasons.some((r) => /key|accessNotConfigured|SERVICE_DISABLED/i.test(r)) ||
    /API key/i.test(error?.message ?? '')
  ) {
    return videoError(`${VIDEO_PROVIDER} refused this gateway's access. Its operator has to look into that.`, reply)
  }
  return innertubeError(reply)
}

function readError(body: string): Partial<z.output<typeof ErrorBody>> {
  try {
    return ErrorBody.parse(JSON.parse(body))
  } catch {
    return {}
  }
}
