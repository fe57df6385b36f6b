import type { ApifyClient, ApifyClientOptions } from 'apify-client'
import { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import { callProvider, type ProviderContext, unknownFormatError } from '../provider'
import { providerError } from '../provider-errors'
import { marketplaceSettings } from './settings'

export const MARKETPLACE_PROVIDER = 'The scraper marketplace'

type Interceptor = NonNullable<ApifyClientOptions['requestInterceptors']>[number]

export type ApifyCallOptions = {
  /** A request that must not be repeated: only a 429, after which nothing was done, is retried. */
  sendOnce?: boolean
  /** Largest response read, in bytes. */
  maxBytes?: number
}

/**
 * Apify's own client, sending its requests through `callProvider`. By itself it retries a failed
 * request up to eight times, which may start a paid run twice, takes no signal, and reads responses
 * of any size. Its own retries are off.
 */
export async function createApifyClient(
  context: ProviderContext,
  { sendOnce = false, maxBytes }: ApifyCallOptions = {},
): Promise<ApifyClient> {
  const { APIFY_BASE_URL, APIFY_TOKEN } = marketplaceSettings()
  // Loaded on first use: it brings its own HTTP client and proxy agent.
  const { ApifyClient } = await import('apify-client')

  const throughProviderKit: Interceptor = (config) => {
    // With a content encoding the client leaves the body as text.
    config.headers = Object.assign(config.headers ?? {}, { 'content-encoding': 'identity' })
    config.adapter = async (sent) => {
      const url = new URL(sent.url ?? '')
      for (const [name, value] of Object.entries(sent.params ?? {})) {
        if (value !== undefined) url.searchParams.set(name, String(typeof value === 'boolean' ? Number(value) : value))
      }
      const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'gzip, br' }
      for (const [name, value] of Object.entries(sent.headers.toJSON(true))) {
        if (typeof value === 'string' && !/^content-encoding$/i.test(name)) headers[name.toLowerCase()] = value
      }
      const response = await callProvider(context, {
        provider: MARKETPLACE_PROVIDER,
        url,
        method: methodOf(sent.method),
        headers,
        body: typeof sent.data === 'string' ? sent.data : undefined,
        maxBytes,
        ...(sendOnce && { retryDelayS: ({ status }) => (status === 429 ? 0.5 : null) }),
      })
      return {
        data: Buffer.from(response.text),
        status: response.status,
        statusText: '',
        headers: Object.fromEntries(Object.entries(response.headers).map(([k, v]) => [k, [v ?? ''].flat().join(', ')])),
        config: sent,
      }
    }
    return config
  }
  return new ApifyClient({
    baseUrl: APIFY_BASE_URL,
    token: APIFY_TOKEN,
    maxRetries: 0,
    requestInterceptors: [throughProviderKit],
  })
}

const methodOf = (name = 'get') => (name.toUpperCase() === 'POST' ? 'POST' : 'GET')

/**
 * What the client throws: an error with status and type, or another one for a response that it
 * cannot read.
 */
type ApifyClientError = { statusCode?: number; type?: string; message?: string }

/**
 * Waits for a call of the client, and turns what it throws into an `upstream_error` for the caller.
 */
export async function translateApifyErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof AppError ? error : apifyError(error as ApifyClientError)
  }
}

/** Errors and their types: https://docs.apify.com/api/v2#errors */
function apifyError({ statusCode: status, type = '', message = '' }: ApifyClientError): AppError {
  if (status === undefined) return unknownFormatError(MARKETPLACE_PROVIDER)
  const response = { status, headers: {}, text: `${type} ${message}` }
  return providerError(MARKETPLACE_PROVIDER, response, {
    failure: status === 404 ? 'missing' : undefined,
    reason: status === 403 || type === 'actor-is-not-rented' ? 'refused' : undefined,
    message: messageFor(status, type, message),
    retryAfterS: status === 429 ? RATE_LIMIT_WAIT_S : undefined,
  })
}

/** The client's errors have no headers. */
const RATE_LIMIT_WAIT_S = 5

function messageFor(status: number, type: string, message: string): string | undefined {
  if (type === 'actor-is-not-rented') return 'This actor must be rented, which this gateway does not do. Take another.'
  if (status === 400) {
    return `${MARKETPLACE_PROVIDER} rejected the call: ${trimEnd(message.slice(0, 300), ' \t\n.') || type}.`
  }
  if (status === 403) return `${MARKETPLACE_PROVIDER} does not let this gateway use that. Take another actor.`
  if (status === 404) return `${MARKETPLACE_PROVIDER} does not have that. Take an id from marketplace_search_actors.`
  return undefined
}
