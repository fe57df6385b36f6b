/** Calls of the API, as programs make them. */
export type ShotApi = <T>(path: string, body?: unknown) => Promise<T>

/** Throws for every status but success and "answered later". */
export const apiOf =
  (baseUrl: string, key: string): ShotApi =>
  async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }

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
