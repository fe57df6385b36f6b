/** Calls by their path; those with a body are POST. */
export type ShotApi = <T>(path: string, body?: unknown) => Promise<T>

async function send<T>(url: string, headers: Record<string, string>, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}

/** Calls with a key. Throws for every status but success. */
export const apiOf =
  (baseUrl: string, key: string): ShotApi =>
  (path, body) =>
    send(`${baseUrl}/api/v1${path}`, { authorization: `Bearer ${key}` }, body)

/** Calls of a signed-in owner's pages. Throws for every status but success. */
export const dashboardOf =
  (baseUrl: string, cookie: { name: string; value: string }): ShotApi =>
  (path, body) =>
    send(`${baseUrl}/api/trpc${path}`, { cookie: `${cookie.name}=${cookie.value}` }, body)

/** Calls of tools and models today, so that the newest receipts are real ones. */
export async function makeCallsOfToday(everything: ShotApi, tools: ShotApi): Promise<void> {
  await everything('/query', { tool: 'web_search', params: { query: 'toll roads in the alps' } })
  await tools('/query', { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin', 'ethereum'] } })
  await everything('/query', { tool: 'forum_search', params: { query: 'electric cars on mountain passes' } })
  await tools('/query', { tool: 'crypto_get_market_data', params: { vsCurrency: 'eur', perPage: 10 } })
  await everything('/chat/completions', {
    model: 'northwind/gale-4-mini',
    messages: [{ role: 'user', content: 'In one sentence: what is a toll road?' }],
  })
  await everything('/query', { tool: 'videosite_search', params: { query: 'driving the Grossglockner' } })
}
