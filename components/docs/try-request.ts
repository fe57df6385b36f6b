/** What someone filled in: parameters by name, and the body as it was typed. */
export type TryInput = { parameters: Record<string, string>; body: string }

export type TryTarget = {
  method: string
  /** With parameters in braces. */
  path: string
  parameters: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean }[]
  hasBody: boolean
}

export type TryRequest = { path: string; init: RequestInit }

/** The request, or what is wrong with what was filled in. */
export function buildTryRequest(target: TryTarget, { parameters, body }: TryInput, key: string): TryRequest | string {
  const filledIn = (name: string) => parameters[name]?.trim() ?? ''
  const missing = target.parameters.filter(({ name, required }) => required && filledIn(name) === '')
  if (missing.length > 0) return `Fill in ${missing.map(({ name }) => name).join(', ')}.`
  if (target.hasBody && !isJson(body)) return 'The body is not JSON.'
  const given = target.parameters.filter(({ name }) => filledIn(name) !== '')
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filledIn(name)))
  const query = new URLSearchParams(given.filter((one) => one.in === 'query').map(({ name }) => [name, filledIn(name)]))
  const headers = new Headers(given.filter((one) => one.in === 'header').map(({ name }) => [name, filledIn(name)]))
  if (key) headers.set('authorization', `Bearer ${key}`)
  if (target.hasBody) headers.set('content-type', 'application/json')
  const search = query.size > 0 ? `?${query}` : ''
  // Without the cookies of the dashboard: what the key may do is what counts.
  const init: RequestInit = { method: target.method, headers, credentials: 'omit' }
  return { path: path + search, init: target.hasBody ? { ...init, body } : init }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What came back, as the page shows it. */
export type TryAnswer = {
  status: number
  ms: number
  requestId: string | null
  /** Credits that were charged; null where the answer has none. */
  charged: number | null
  text: string
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const chargedIn = (value: unknown): number | null => {
  const charged: unknown = Object(Object(value).service).credits_charged
  return typeof charged === 'number' ? charged : null
}

/** The charge of a stream: on whichever event carries it. */
function chargedInStream(text: string): number | null {
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [parseJson(line.slice(6))] : []))
  return events.map(chargedIn).find((charged) => charged !== null) ?? null
}

/** Sends the request and reads all of the answer. JSON is indented; what is not text is named. */
export async function sendTryRequest({ path, init }: TryRequest, signal: AbortSignal): Promise<TryAnswer> {
  const started = performance.now()
  const response = await fetch(path, { ...init, signal })
  const type = response.headers.get('content-type') ?? ''
  const isText = /json|text|csv|xml/.test(type)
  const bytes = await response.blob()
  const ms = Math.round(performance.now() - started)
  const text = isText ? await bytes.text() : bytes.size > 0 ? `${bytes.size} bytes of ${type}` : ''
  const value = type.includes('json') ? parseJson(text) : undefined
  return {
    status: response.status,
    ms,
    requestId: response.headers.get('x-request-id'),
    charged: value === undefined ? chargedInStream(text) : chargedIn(value),
    text: value === undefined ? text : JSON.stringify(value, null, 2),
  }
}
