import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callProvider, type ProviderResponse } from './provider'
import { providerError } from './provider-errors'

let status = 200
let headers: Record<string, string> = {}
let requests: number[] = []
const server = createServer((_req, res) => {
  requests.push(performance.now())
  res.writeHead(status, headers).end('{}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())
beforeEach(() => {
  requests = []
  headers = {}
})

const send = (options: { retryDelayS?: () => number | null; signal?: AbortSignal; onSent?: () => void } = {}) => {
  const { signal = AbortSignal.timeout(60_000), onSent, retryDelayS } = options
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return callProvider({ signal, onSent }, { provider: 'The test provider', url, retryDelayS })
}

describe('callProvider', () => {
  test.each([200, 302, 400, 404])('returns a %i after one attempt', async (code) => {
    status = code
    expect(await send()).toMatchObject({ status: code, text: '{}' })
    expect(requests).toHaveLength(1)
  })

  test.each([429, 500, 503])('makes three attempts for a %i, with the second wait twice as long', async (code) => {
    status = code
    headers = { 'retry-after': '0.2' }
    const onSent = vi.fn()
    expect(await send({ onSent })).toMatchObject({ status: code })
    expect(onSent).toHaveBeenCalledTimes(3)
    const [first = 0, second = 0, third = 0] = requests
    expect(second - first).toBeGreaterThanOrEqual(190)
    expect(third - second).toBeGreaterThanOrEqual(390)
  })

  test.each([
    ['the group allows no retry', null],
    ['the wait is longer than 20 s', 21],
  ])('makes one attempt where %s', async (_why, delayS) => {
    status = 429
    expect(await send({ retryDelayS: () => delayS })).toMatchObject({ status: 429 })
    expect(requests).toHaveLength(1)
  })

  test('returns the last response when the signal aborts during a wait', async () => {
    status = 503
    expect(await send({ retryDelayS: () => 10, signal: AbortSignal.timeout(300) })).toMatchObject({ status: 503 })
    expect(requests).toHaveLength(1)
  })
})

describe('a provider that closes a kept connection as the next request comes', () => {
  let seen: string[] = []
  const closing = createServer((req, res) => {
    seen.push(`${req.method}`)
    if (seen.length === 2) req.socket.destroy()
    else res.end('{}')
  })
  beforeAll(() => new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void closing.close())
  beforeEach(() => {
    seen = []
  })

  const ask = (more: { method?: 'POST'; isRead?: boolean } = {}) => {
    const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`
    return callProvider({ signal: AbortSignal.timeout(60_000) }, { provider: 'The test provider', url, ...more })
  }

  test.each([{}, { method: 'POST', isRead: true }] as const)('is asked once more for a read: %j', async (more) => {
    expect(await ask(more)).toMatchObject({ status: 200 })
    expect(await ask(more)).toMatchObject({ status: 200 })
    expect(seen).toHaveLength(3)
  })

  test('is not asked again for what may change something', async () => {
    await ask({ method: 'POST' })
    await expect(ask({ method: 'POST' })).rejects.toMatchObject({ code: 'upstream_error', reason: 'provider_error' })
    expect(seen).toHaveLength(2)
  })
})

describe('providerError', () => {
  const response = (code: number, more: Partial<ProviderResponse> = {}): ProviderResponse => ({
    status: code,
    headers: {},
    text: 'internal words',
    ...more,
  })

  test.each([
    [400, /rejected the parameters \(HTTP 400\)/],
    [401, /denied access to this gateway \(HTTP 401\)\. Contact the operator\./],
    [402, /no quota left/],
    [418, /unexpected response \(HTTP 418\)/],
    [429, /Try again in 60 seconds/],
    [500, /returned an error \(HTTP 500\)\. Try again later\./],
  ])('says what a %i means, without the provider’s words', (code, message) => {
    const error = providerError('The test provider', response(code))
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
    expect(error.message).not.toContain('internal')
  })

  test('takes the wait of a rate limit from Retry-After, unless the group knows it', () => {
    const limited = response(429, { headers: { 'retry-after': '7' } })
    expect(providerError('P', limited)).toMatchObject({ retryAfter: 7 })
    expect(providerError('P', limited, { retryAfterS: 9.2 })).toMatchObject({ retryAfter: 10 })
  })

  test('lets a group override the failure and the message', () => {
    expect(providerError('P', response(400), { failure: 'access' }).message).toMatch(/denied access/)
    expect(providerError('P', response(403), { message: 'There is no post 7.' }).message).toBe('There is no post 7.')
  })
})
