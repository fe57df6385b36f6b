import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { AppError } from '../errors'
import { BodyTooLargeError } from '../kit/decode-body'
import { lazy } from '../kit/lazy'
import { makeProviderAgent } from '../kit/provider-agent'
import { parseRetryAfter } from '../kit/retry-after'
import { withClientSpan } from '../kit/tracing/http-spans'
import { fetchWhole, type ResponseHeaders } from '../kit/whole-response'
import { countProviderRequest, providerOutcome } from './metrics'

export type ProviderResponse = { status: number; headers: ResponseHeaders; text: string }

/** What a call needs of its caller; every tool's context has it. */
export type ProviderContext = {
  signal: AbortSignal
  /** Is called once the provider has the whole request, for each attempt. */
  onSent?: () => void
}

type ProviderCall = {
  /** How messages name the provider, e.g. `The search provider`. */
  provider: string
  url: string | URL
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** A POST that changes nothing at the provider, so that it may be sent twice. */
  isRead?: boolean
  /** Largest response read, in bytes. */
  maxBytes?: number
  /**
   * Seconds to wait before the next attempt after a 429 or 5xx, or null for none. It is asked after
   * each of the first two attempts, and its wait is doubled after the second. Default: Retry-After,
   * else 1 after a 429 and 0.5 after a 5xx.
   */
  retryDelayS?: (response: ProviderResponse) => number | null
}

const MAX_ATTEMPTS = 3
/** A provider that asks for a longer wait gets no further attempt. */
const MAX_DELAY_S = 20
const MIN_DELAY_S = 0.2

/**
 * Calls a provider's API at an address that the operator set, so without the SSRF guard, and
 * returns the response whatever its status. After a 429 or 5xx there are up to two more attempts;
 * when the signal aborts during a wait, the last response is returned. Redirects are not followed.
 * A GET, or a POST with `isRead`, is sent once more where the connection closed before anything
 * came: the provider may have closed an idle one just then. Throws `upstream_error` when the
 * provider cannot be reached, closes the connection, does not respond in time, or sends more than
 * `maxBytes`; none of these is retried.
 */
export async function callProvider(context: ProviderContext, call: ProviderCall): Promise<ProviderResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendRead(context, call)
    if ((response.status !== 429 && response.status < 500) || attempt === MAX_ATTEMPTS) return response
    const delayS = (call.retryDelayS ?? defaultRetryDelayS)(response)
    if (delayS === null || delayS > MAX_DELAY_S) return response
    try {
      await sleep(Math.max(delayS, MIN_DELAY_S) * 1000 * 2 ** (attempt - 1), undefined, { signal: context.signal })
    } catch {
      return response
    }
  }
}

/** Retry-After, else 1 second after a 429 and 0.5 after a 5xx. */
export const defaultRetryDelayS = ({ status, headers }: ProviderResponse): number =>
  parseRetryAfter(headers['retry-after']) ?? (status === 429 ? 1 : 0.5)

/** A query string of the parameters that have a value. */
export const toQueryString = (params: Record<string, string | undefined>): string =>
  new URLSearchParams(
    Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString()

/** A header's value; the empty string without one, the first of several. */
export const headerOf = ({ headers }: ProviderResponse, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''

/** Connections to providers. A tool's own time budget limits their requests. */
const agent = lazy(() => makeProviderAgent(10_000))

/** A connection that was closed before anything of a response came. */
class ClosedIdleError extends AppError {}

const sendRead = (context: ProviderContext, call: ProviderCall): Promise<ProviderResponse> =>
  sendOnce(context, call).catch((error: unknown) => {
    const isRead = (call.method ?? 'GET') === 'GET' || call.isRead
    if (!isRead || !(error instanceof ClosedIdleError)) throw error
    return sendOnce(context, call)
  })

async function sendOnce({ signal, onSent }: ProviderContext, call: ProviderCall): Promise<ProviderResponse> {
  const { provider, url, method = 'GET', headers = {}, body, maxBytes = 8 * 1024 * 1024 } = call
  const startedAt = performance.now()
  let isSent = false
  let hasCome = false
  const noteSent = () => {
    isSent = true
    onSent?.()
  }
  const onData = () => {
    hasCome = true
  }
  try {
    const request = { dispatcher: agent(), method, url, body, signal, maxBytes, onStart: noteSent, onData }
    const response = await withClientSpan({ method, url }, (trace) =>
      fetchWhole({ ...request, headers: { ...headers, ...trace } }),
    )
    countProviderRequest(url, providerOutcome(response.statusCode), startedAt)
    return { status: response.statusCode, headers: response.headers, text: response.body.toString('utf8') }
  } catch (error) {
    countProviderRequest(url, !isSent ? 'unreachable' : signal.aborted ? 'timeout' : 'broken', startedAt)
    if (error instanceof BodyTooLargeError)
      throw new AppError('upstream_error', `${provider} sent a response that is too large.`, { reason: 'too_large' })
    const [what, reason] = !isSent
      ? (['could not be reached', 'provider_unreachable'] as const)
      : signal.aborted
        ? (['did not respond in time', 'timeout'] as const)
        : (['closed the connection early', 'provider_error'] as const)
    const wasClosed = isSent && !hasCome && !signal.aborted
    const Failure = wasClosed ? ClosedIdleError : AppError
    throw new Failure('upstream_error', `${provider} ${what}.`, { reason, cause: error })
  }
}

/**
 * A provider's JSON, parsed by the shape its client relies on. Throws `upstream_error` for anything
 * else.
 */
export function parseProviderJson<T extends z.ZodType>(provider: string, text: string, shape: T): z.output<T> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new AppError('upstream_error', `${provider} sent invalid JSON.`, { cause })
  }
  return parseProviderValue(provider, json, shape)
}

/** The same for a value that was parsed already, such as one item of a list. */
export function parseProviderValue<T extends z.ZodType>(provider: string, value: unknown, shape: T): z.output<T> {
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw unknownFormatError(provider, parsed.error)
  return parsed.data
}

/** The error for a response that is not what the provider's client can read. */
export const unknownFormatError = (provider: string, cause?: unknown): AppError =>
  new AppError('upstream_error', `${provider} sent a response of an unknown format.`, { cause })
