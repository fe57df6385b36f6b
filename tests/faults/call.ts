import { Agent, request } from 'undici'

/** What a client saw of one call. */
export type ClientCall = {
  /**
   * `answered`: a whole response. `cut`: the connection closed first. `unsent`: nothing listened.
   * `hung`: no end in sight.
   */
  outcome: 'answered' | 'cut' | 'unsent' | 'hung'
  status: number | null
  requestId: string | null
  /** Credits of the `service` block; null when there was none. */
  charged: number | null
  /** True when the caller has what it asked for. */
  isDelivered: boolean
  startedAt: number
  ms: number
  /** What the response said, for a report. */
  note: string
  /** Its Idempotency-Key: attempts with the same one are one call. */
  token?: string
}

export type CallRequest = {
  url: string
  key: string
  body?: unknown
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
}

/** What a body says of its call. */
export type BodyReading = Pick<ClientCall, 'charged' | 'isDelivered'>

/** Longer than any call may take: what has no answer by then hangs. */
export const CALL_TIMEOUT_MS = 150_000

/**
 * A connection a call: what a server does to an idle one must not look like a fault of the call.
 */
export const callDispatcher = new Agent({
  pipelining: 0,
  allowH2: false,
  headersTimeout: CALL_TIMEOUT_MS,
  bodyTimeout: CALL_TIMEOUT_MS,
})

const UNSENT = /ECONNREFUSED/
const HUNG = /UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT/

/**
 * Sends one request and says what became of it; `read` takes the body, which may be only its
 * beginning.
 */
export async function sendCall(
  { url, key, body, method = 'POST', headers = {} }: CallRequest,
  read: (text: string, status: number) => BodyReading,
): Promise<ClientCall> {
  const startedAt = Date.now()
  let status: number | null = null
  let requestId: string | null = null
  let text = ''
  const end = (outcome: ClientCall['outcome'], note: string): ClientCall => {
    const { charged, isDelivered } = status === null ? { charged: null, isDelivered: false } : read(text, status)
    return { outcome, status, requestId, charged, isDelivered, startedAt, ms: Date.now() - startedAt, note }
  }
  try {
    const response = await request(url, {
      method,
      dispatcher: callDispatcher,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    status = response.statusCode
    requestId = String(response.headers['x-request-id'] ?? '') || null
    response.body.setEncoding('utf8')
    for await (const chunk of response.body) text += chunk
    return end('answered', `${status} ${text.slice(0, 200)}`)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const outcome = UNSENT.test(code) ? 'unsent' : HUNG.test(code) ? 'hung' : 'cut'
    return end(outcome, `${code} ${message}`)
  }
}

/** The credits of a `service` block anywhere at the top of a value; null when there is none. */
export function chargeInBody(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('service' in value)) return null
  const { service } = value as { service: { credits_charged?: unknown } }
  return typeof service?.credits_charged === 'number' ? service.credits_charged : null
}

/** A text as JSON; null if it is not JSON, or incomplete. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
