import type { ApifyClient, ApifyClientOptions } from 'apify-client'
import { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import type { ToolContext } from '../define'
import { callProvider } from '../provider'
import { marketplaceSettings } from './settings'

export const MARKETPLACE_PROVIDER = 'The scraper marketplace'

type Interceptor = NonNullable<ApifyClientOptions['requestInterceptors']>[number]

export type ApifyCallOptions = {
  /** A request that must not happen twice: only a 429, which does nothing there, is tried again. */
  once?: boolean
  /** Largest answer read, in bytes. */
  maxBytes?: number
}

/**
 * The vendor's own client, whose requests go out through `callVendor`. Left to itself it would repeat a failed request up
 * to eight times, starting a paid run twice, take no signal, and read answers of any size. Its own retries are off.
 */
export async function createApifyClient(
  context: ToolContext,
  { once = false, maxBytes }: ApifyCallOptions = {},
): Promise<ApifyClient> {
  const { APIFY_BASE_URL, APIFY_TOKEN } = marketplaceSettings()
  // Loaded at first use: it brings an HTTP client and a proxy agent of its own.
  const { ApifyClient } = await import('apify-client')

  const throughUs: Interceptor = (config) => {
    // Said to be coded already, so that the client leaves the body as text.
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
      const reply = await callProvider(context, {
        vendor: MARKETPLACE_PROVIDER,
        url,
        method: methodOf(sent.method),
        headers,
        body: typeof sent.data === 'string' ? sent.data : undefined,
        maxBytes,
        ...(once && { retryAfterS: ({ status }) => (status === 429 ? 0.5 : null) }),
      })
      return {
        data: Buffer.from(reply.text),
        status: reply.status,
        statusText: '',
        headers: Object.fromEntries(Object.entries(reply.headers).map(([k, v]) => [k, [v ?? ''].flat().join(', ')])),
        config: sent,
      }
    }
    return config
  }
  return new ApifyClient({
    baseUrl: APIFY_BASE_URL,
    token: APIFY_TOKEN,
    maxRetries: 0,
    requestInterceptors: [throughUs],
  })
}

const methodOf = (name = 'get') => (name.toUpperCase() === 'POST' ? 'POST' : 'GET')

/** What the vendor's client throws: its error carries status and type, anything else is an answer it cannot read. */
type ClientError = { statusCode?: number; type?: string; message?: string }

/** Runs a call of the client; what it throws becomes an `upstream_error` that helps and names no account of ours. */
export async function translateApifyErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof AppError ? error : failure(error as ClientError)
  }
}

/** Errors and their types: https://docs.apify.com/api/v2#errors */
function failure({ statusCode: status, type = '', message = '' }: ClientError): AppError {
  const cause = new Error(`HTTP ${status}: ${type} ${message.slice(0, 500)}`)
  const say = (text: string, retryAfter?: number) => new AppError('upstream_error', text, { cause, retryAfter })
  if (status === undefined) return say(`${MARKETPLACE_PROVIDER} sent an answer of an unknown form.`)
  if (status === 429)
    return say(`${MARKETPLACE_PROVIDER} limits how often this gateway may ask. Try again in a few seconds.`, 5)
  if (type === 'actor-is-not-rented')
    return say('This actor must be rented, which this gateway does not do. Take another.')
  if (status === 400)
    return say(`${MARKETPLACE_PROVIDER} refused the call: ${trimEnd(message.slice(0, 300), ' \t\n.') || type}.`)
  if (status === 402)
    return say(`${MARKETPLACE_PROVIDER} takes no more runs from this gateway now. Its operator has to look into that.`)
  if (status === 401)
    return say(`${MARKETPLACE_PROVIDER} refused this gateway's access. Its operator has to look into that.`)
  if (status === 403) return say(`${MARKETPLACE_PROVIDER} does not let this gateway use that. Take another actor.`)
  if (status === 404)
    return say(`${MARKETPLACE_PROVIDER} does not have that. Take an id from marketplace_search_actors.`)
  if (status >= 500) return say(`${MARKETPLACE_PROVIDER} has a fault of its own (HTTP ${status}). Try again later.`)
  return say(`${MARKETPLACE_PROVIDER} gave an unexpected answer (HTTP ${status}).`)
}
