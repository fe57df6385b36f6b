import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, getGlobalDispatcher, request } from 'undici'
import type { z } from 'zod'
import { AppError } from '../errors'
import { BodyTooLargeError, readDecodedBody } from '../kit/decode-body'
import type { ToolContext } from './define'

export type ProviderResponse = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

type VendorCall = {
  /** How messages name the vendor, e.g. `The search provider`. */
  vendor: string
  url: string | URL
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** Largest answer read, in bytes. */
  maxBytes?: number
  /** Seconds to wait before the one retry of a 429 or 5xx, or null for no retry; default: Retry-After, else 1. */
  retryAfterS?: (reply: ProviderResponse) => number | null
}

/**
 * The process's dispatcher, with word of when a request goes out: a connection stands, and head and body, which is a
 * string here, are written in the same turn. From then on the vendor has it.
 */
const tellingWhenSent = (sent: () => void): Dispatcher =>
  getGlobalDispatcher().compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler)
    const onRequestStart: typeof start = (controller, context) => {
      start?.(controller, context)
      if (!controller.aborted) sent()
    }
    return dispatch(options, Object.assign(handler, { onRequestStart }))
  })

/**
 * One call of a vendor's API at an address the operator set (so no SSRF guard), answered whatever the status.
 * A 429 or 5xx is tried twice more, waiting as the vendor asks while the tool's time budget lasts; redirects are not
 * followed. Throws `upstream_error` when the vendor cannot be reached, breaks off, or is out of time.
 */
export async function callProvider(context: ToolContext, call: VendorCall): Promise<ProviderResponse> {
  for (let attempt = 0; ; attempt++) {
    const reply = await sendOnce(context, call)
    if ((reply.status !== 429 && reply.status < 500) || attempt === 2) return reply
    const waitS = (call.retryAfterS ?? defaultWait)(reply)
    if (waitS === null || waitS > 20) return reply
    try {
      await sleep(waitS * 1000 * 2 ** attempt, undefined, { signal: context.signal })
    } catch {
      return reply
    }
  }
}

function defaultWait(reply: ProviderResponse): number {
  const seconds = Number(reply.headers['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds, 0.2) : 0.5
}

async function sendOnce(context: ToolContext, call: VendorCall): Promise<ProviderResponse> {
  const { vendor, url, method = 'GET', headers = {}, body, maxBytes = 8 * 1024 * 1024 } = call
  let isSent = false
  const dispatcher = tellingWhenSent(() => {
    isSent = true
    context.accepted()
  })
  try {
    const { signal } = context
    const res = await request(url, { method, headers, body, signal, dispatcher, headersTimeout: 0, bodyTimeout: 0 })
    // Vendors compress only for callers who ask for it with an Accept-Encoding header.
    const coded = [res.headers['content-encoding'] ?? ''].flat().join(',')
    const bytes = await readDecodedBody(res.body, coded, maxBytes)
    return { status: res.statusCode, headers: res.headers, text: bytes.toString('utf8') }
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new AppError('upstream_error', `${vendor} sent an answer that is too large.`)
    const what = !isSent
      ? 'could not be reached'
      : context.signal.aborted
        ? 'did not answer in time'
        : 'broke off the connection'
    throw new AppError('upstream_error', `${vendor} ${what}.`, { cause: error })
  }
}

/** Parses a vendor's JSON against the shape its adapter relies on; anything else is an `upstream_error`. */
export function parseProviderJson<T extends z.ZodType>(vendor: string, text: string, shape: T): z.output<T> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new AppError('upstream_error', `${vendor} sent something that is not JSON.`, { cause })
  }
  return checkProviderData(vendor, json, shape)
}

/** The same for what was parsed already, such as one item of a list. */
export function checkProviderData<T extends z.ZodType>(vendor: string, json: unknown, shape: T): z.output<T> {
  const parsed = shape.safeParse(json)
  if (!parsed.success) {
    throw new AppError('upstream_error', `${vendor} sent an answer of an unknown form.`, { cause: parsed.error })
  }
  return parsed.data
}
