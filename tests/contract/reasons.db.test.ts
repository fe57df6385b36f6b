import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { REASONS } from '../../server/errors'
import { isRecord } from '../../server/kit/record'
import { callQuery, send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()

/** What a tool answers where it fails, the same over REST and MCP, and in a stored answer. */
const failureOf = async (tool: string, params: Record<string, unknown>) => {
  const { key } = await makeCaller(1_000, { tools: 'all' })
  const headers = { 'idempotency-key': 'once' }
  const first = await send('/api/v1/query', { key: key.key, body: { tool, params }, headers })
  const { reason, retryable, service } = first.body
  const charged = isRecord(service) ? Number(service.credits_charged) : 0
  if (charged > 0) {
    const again = await send('/api/v1/query', { key: key.key, body: { tool, params }, headers })
    expect(again.body).toMatchObject({ reason, retryable, service })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  }
  return { status: first.status, reason, retryable, charged }
}

describe('a failure says whose fault it was', () => {
  it.each([
    ['a provider that fails', 'crypto_get_prices', { coinIds: ['sandbox-500'] }, 502, 'provider_error', true],
    ['a provider that limits', 'crypto_get_prices', { coinIds: ['sandbox-429'] }, 502, 'rate_limited', true],
    ['a host without an address', 'web_read_url', { url: 'http://nothing.invalid/' }, 502, 'not_found', false],
    ['a private address', 'web_read_url', { url: 'http://10.0.0.1/' }, 400, 'blocked', false],
    ['a parameter of the wrong type', 'crypto_get_prices', { coinIds: 'bitcoin' }, 400, 'invalid_input', false],
    ['a tool that does not exist', 'no_such_tool', {}, 400, 'not_found', false],
  ])('%s', async (_name, tool, params, status, reason, retryable) => {
    expect(await failureOf(tool, params)).toMatchObject({ status, reason, retryable })
  })

  it('an advertisement that does not exist costs its price, and is not worth another try', async () => {
    const asked = { propertyId: '1', location: 'es' }
    expect(await failureOf('property_details', asked)).toEqual({
      status: 502,
      reason: 'not_found',
      retryable: false,
      charged: 135,
    })
  })

  it('a page that is not there', async () => {
    const missing = { url: `${sandbox.url()}/no/such/page` }
    expect(await failureOf('web_read_url', missing)).toMatchObject({
      status: 502,
      reason: 'not_found',
      retryable: false,
      charged: 1,
    })
  })

  it('models say it in their envelope', async () => {
    const { key } = await makeCaller(1_000, { llm: true })
    const chat = (model: string) =>
      send('/api/v1/chat/completions', { key: key.key, body: { model, messages: [{ role: 'user', content: 'x' }] } })
    expect((await chat('nobody/nothing')).body.error).toMatchObject({ reason: 'not_found', retryable: false })
  })
})

it('a refused call says the same: no key, no credits, another body', async () => {
  expect((await send('/api/v1/usage')).body).toMatchObject({ reason: 'unauthorized', retryable: false })
  const { key } = await makeCaller(0)
  const poor = await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
  expect(poor.body).toMatchObject({ code: 'insufficient_credits', reason: 'insufficient_credits', retryable: false })
})

it('the guide explains every reason', () => {
  const guide = readFileSync('docs/guides/errors.md', 'utf8')
  expect(Object.keys(REASONS).filter((reason) => !guide.includes(`\`${reason}\``))).toEqual([])
})
