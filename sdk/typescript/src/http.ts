import { TollgateError } from './error.js'

export type Settings = {
  /** The API key, `tg_…`. */
  key: string
  /** Where the service answers, without a path. */
  baseUrl?: string
  /** Attempts of a request that may be repeated; 4 by default. */
  attempts?: number
  fetch?: typeof fetch
}

export type Asked = {
  method?: 'GET' | 'POST' | 'DELETE'
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

async function send({ key, baseUrl, fetch: own = fetch }: Settings, path: string, asked: Asked): Promise<Answer> {
  const { body, method = body ? 'POST' : 'GET', headers, idempotencyKey, signal } = asked
  const response = await own(`${baseUrl ?? 'http://localhost:3000'}/api/v1${path}`, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  }).catch((error) => {
    if (signal?.aborted) throw signal.reason
    throw new TollgateError(0, { error: `The connection broke: ${error}` }, null, undefined)
  })
  const value: unknown = await response.json().catch(() => ({}))
  const read = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (response.ok) return { status: response.status, headers: response.headers, body: read }
  throw new TollgateError(response.status, read, response.headers.get('x-request-id'), retryAfterOf(response.headers))
}

/**
 * Sends a request, and repeats it where it failed for now. A POST with an Idempotency-Key keeps it,
 * so that no repeat is charged twice; a failure that was charged is stored under its key, so the
 * next attempt has another. Throws TollgateError.
 */
export async function request(settings: Settings, path: string, asked: Asked = {}): Promise<Answer> {
  const { attempts = 4 } = settings
  const mayRepeat = asked.idempotencyKey !== undefined || (asked.method ?? (asked.body ? 'POST' : 'GET')) === 'GET'
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
