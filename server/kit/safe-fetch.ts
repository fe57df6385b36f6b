import { Agent, buildConnector, request } from 'undici'
import { ACCEPT_ENCODING, BodyTooLargeError, contentEncodingOf, readDecodedBody } from './decode-body'
import { type AddressGuard, bareHost, dialFailure, guardedLookup } from './dial'
import { rejectOnAbort } from './reject-on-abort'
import { withClientSpan } from './tracing/http-spans'

export type SafeFetchFailure =
  | 'invalid_url'
  | 'blocked'
  | 'unresolved'
  | 'refused'
  | 'redirect_blocked'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'failed'

/**
 * Why a guarded fetch has no answer. `sent`: a target had taken a connection by then. The message
 * is for the caller.
 */
export class SafeFetchError extends Error {
  constructor(
    readonly kind: SafeFetchFailure,
    message: string,
    readonly sent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause })
    this.name = 'SafeFetchError'
  }
}

type GuardedCall = AddressGuard & {
  /** Called once, when the first target has accepted a connection. */
  onSent?: () => void
}

export type SafeFetchOptions = GuardedCall & {
  /** Bounds the whole call, redirects and body included. */
  signal: AbortSignal
  /** Largest body after decompression, in bytes. */
  maxBytes: number
  /** Sent to the first origin; only the harmless ones go on to another. */
  headers?: Record<string, string>
  maxRedirects?: number
}

export type SafeResponse = {
  /** Where the answer came from, after redirects. */
  url: string
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const CONNECT_TIMEOUT_MS = 10_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CROSS_ORIGIN_HEADERS = new Set(['accept', 'accept-language', 'user-agent'])

/** A caller's URL, parsed: http(s), a host, no credentials. Throws `invalid_url`. */
export function parseTarget(text: string): URL {
  const refuse = (why: string) => new SafeFetchError('invalid_url', why, false)
  if (!URL.canParse(text)) throw refuse(`Not a URL: ${text.slice(0, 200)}`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`Only http and https URLs can be read, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw refuse('A URL must not carry a user name or password.')
  return url
}

/**
 * GETs a URL that a stranger gave. Only public addresses are dialled (checked inside the
 * connection's own DNS lookup), on every hop of at most 5 redirects; body size and total time are
 * bounded. Any status is an answer. Throws SafeFetchError.
 */
export async function safeFetch(target: string | URL, options: SafeFetchOptions): Promise<SafeResponse> {
  const { signal, maxBytes, maxRedirects = 5 } = options
  const trip = { sent: false }
  const agent = guardedAgent(options, trip)
  let url = parseTarget(String(target))
  let headers = options.headers ?? {}
  try {
    for (let hop = 0; ; hop++) {
      const reply = await send(agent, url, headers, signal)
      const next = redirectOf(reply)
      if (next === null) {
        const body = await readDecodedBody(reply.body, contentEncodingOf(reply.headers), maxBytes)
        url.hash = ''
        return { url: url.href, status: reply.statusCode, headers: reply.headers, body }
      }
      reply.body.on('error', () => {}).destroy()
      if (hop === maxRedirects) {
        throw new SafeFetchError('too_many_redirects', `${url.host} redirects more than ${maxRedirects} times.`, true)
      }
      const from = url
      url = redirectTarget(next, from)
      if (url.origin !== from.origin) headers = onlyHarmless(headers)
    }
  } catch (error) {
    throw error instanceof SafeFetchError
      ? error
      : explainFetchFailure(error, { url, trip, signal, maxBytes, first: String(target) })
  } finally {
    void agent.destroy()
  }
}

/** An HTTP client that connects to public addresses only, and notes when a target has accepted. */
export function guardedAgent(guard: GuardedCall, trip: { sent: boolean }): Agent {
  const reached = () => {
    if (!trip.sent) guard.onSent?.()
    trip.sent = true
  }
  const connect: buildConnector.connector = (dial, callback) => {
    const port = Number(dial.port || (dial.protocol === 'https:' ? 443 : 80))
    try {
      const lookup = guardedLookup(guard, dial.hostname, port)
      const go = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false })
      go({ ...dial, hostname: bareHost(dial.hostname) }, (error, socket) => {
        // A failed TLS handshake has reached the target all the same.
        if (error === null || dialFailure(error) === 'failed') reached()
        if (error === null) callback(null, socket)
        else callback(error, null)
      })
    } catch (error) {
      queueMicrotask(() => callback(error as Error, null))
    }
  }
  return new Agent({ connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 })
}

function send(dispatcher: Agent, url: URL, given: Record<string, string>, signal: AbortSignal) {
  const headers = { ...given, 'accept-encoding': ACCEPT_ENCODING }
  // undici notices an abort only once it is connected: a DNS server that never answers must not
  // hold us.
  return withClientSpan({ method: 'GET', url, isForeign: true }, () =>
    rejectOnAbort(request(url, { dispatcher, signal, method: 'GET', headers }), signal),
  )
}

type Reply = Awaited<ReturnType<typeof send>>

function redirectOf({ statusCode, headers }: Reply): string | null {
  const location = Array.isArray(headers.location) ? headers.location[0] : headers.location
  return REDIRECTS.has(statusCode) && location ? location : null
}

function redirectTarget(location: string, from: URL): URL {
  const refuse = (why: string) => new SafeFetchError('redirect_blocked', `${from.host} redirects ${why}.`, true)
  if (!URL.canParse(location, from)) throw refuse('to something that is not a URL')
  const url = new URL(location, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse(`to a ${url.protocol} URL`)
  if (url.username !== '' || url.password !== '') throw refuse('to a URL with a password')
  if (url.hash === '') url.hash = from.hash
  return url
}

const onlyHarmless = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => CROSS_ORIGIN_HEADERS.has(name.toLowerCase())))

/** A failed call: its target, how far it came, and what bounded it. */
type Situation = { url: URL; trip: { sent: boolean }; signal: AbortSignal; maxBytes: number; first: string }

/** The error of a call that failed, in words for the caller. */
export function explainFetchFailure(error: unknown, { url, trip, signal, maxBytes, first }: Situation): SafeFetchError {
  const fail = (kind: SafeFetchFailure, text: string) => new SafeFetchError(kind, text, trip.sent, error)
  if (error instanceof BodyTooLargeError) return fail('too_large', `${url.host} sends more than ${maxBytes} bytes.`)
  if (signal.aborted) return fail('timeout', `${url.host} did not answer in time.`)
  switch (dialFailure(error)) {
    case 'blocked': {
      if (!trip.sent) return fail('blocked', `${url.host} is not on the public internet.`)
      return fail(
        'redirect_blocked',
        `${new URL(first).host} redirects to ${url.host}, which is not on the public internet.`,
      )
    }
    case 'unresolved':
      return fail('unresolved', `The host ${url.hostname} does not exist.`)
    case 'refused':
      return fail('refused', `${url.host} does not accept connections.`)
    case 'timeout':
      return fail('timeout', `${url.host} did not accept a connection in time.`)
    case 'failed':
      return fail(
        'failed',
        `Reading from ${url.host} failed: ${error instanceof Error ? error.message : 'unknown error'}`,
      )
  }
}
