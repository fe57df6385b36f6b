import { TollgateError } from './error.js'

export type Settings = {
  /** The API key, `tg_…`. */
  key: string
  /** Where the service answers, without a path. */
  baseUrl?: string
  /** Which of your customers the calls are for; the key must be one that names customers. */
  customer?: string
  /** Attempts of a request that may be repeated; 4 by default. */
  attempts?: number
  fetch?: typeof fetch
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Asked = {
  method?: Method
  body?: object
  headers?: Record<string, string>
  /** Makes a POST safe to repeat: it is sent as Idempotency-Key. */
  idempotencyKey?: string
  signal?: AbortSignal
}

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

const wait = (seconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')
  return text === null ? undefined : Number(text)
}

/** Sends a request once. Throws TollgateError for anything but a success. */
export async function open(settings: Settings, path: string, asked: Asked): Promise<Response> {
  const { key, baseUrl, customer, fetch: own = fetch } = settings
  const { body, method = body ? 'POST' : 'GET', headers, idempotencyKey, signal } = asked
  const response = await own(`${baseUrl ?? 'http://localhost:3000'}/api/v1${path}`, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(customer !== undefined && { 'x-tollgate-customer': customer }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  }).catch((error) => {
    if (signal?.aborted) throw signal.reason
    throw new TollgateError(0, { error: `The connection broke: ${error}` }, null, undefined)
  })
  if (response.ok) return response
  const { status, headers: answered } = response
  throw new TollgateError(status, await readBody(response), answered.get('x-request-id'), retryAfterOf(answered))
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json().catch(() => ({}))
  return (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
}

async function send(settings: Settings, path: string, asked: Asked): Promise<Answer> {
  const response = await open(settings, path, asked)
  return { status: response.status, headers: response.headers, body: await readBody(response) }
}

/**
 * Sends a request, and repeats it where it failed for now. A POST with an Idempotency-Key keeps it,
 * so that no repeat is charged twice; a failure that was charged is stored under its key, so the
 * next attempt has another. Throws TollgateError.
 */
export async function request(settings: Settings, path: string, asked: Asked = {}): Promise<Answer> {
  const { attempts = 4 } = settings
  const method = asked.method ?? (asked.body ? 'POST' : 'GET')
  const mayRepeat = asked.idempotencyKey !== undefined || method === 'GET' || method === 'PUT'
  let { idempotencyKey } = asked
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(settings, path, { ...asked, idempotencyKey })
    } catch (error) {
      const isOver = !(error instanceof TollgateError) || !error.retryable || !mayRepeat || attempt >= attempts
      if (isOver) throw error
      if (error.charged) idempotencyKey = idempotencyKey && `${asked.idempotencyKey}-${attempt + 1}`
      await wait(error.retryAfter ?? 0.5 * 2 ** attempt, asked.signal)
    }
  }
}
