import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../server/errors'
import { revokeKey } from '../../server/keys/revoke'
import { makeSecret } from '../../server/keys/secret'
import { availableTools } from '../../server/tools/registry'
import { callQuery, send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const CATALOG = '/api/v1/catalog'
const MARKET_ORDERS = '"market_cap_desc" | "market_cap_asc" | "volume_desc" | "volume_asc" | "id_asc" | "id_desc"'
type Param = { name: string; type: string; required: boolean; description: string }
type Entry = {
  id: string
  label: string
  group: string
  description: string
  credits: number | null
  pricing: string
  params: Param[]
  result: string
  simulated: boolean
}
const entries = async () => (await send(CATALOG)).body.tools as Entry[]

describe('200', () => {
  it('needs no key and has everything the catalog has', async () => {
    const { status, body, headers } = await send(CATALOG)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['agent', 'billing', 'count', 'llm', 'mode', 'tools'])
    expect(body).toMatchObject({ mode: 'sandbox', billing: { creditsPerUsd: 2778 } })
    expect(headers.get('x-request-id')).toMatch(/\S/)
    expect(headers.has('x-ratelimit-limit-requests')).toBe(false)
  })

  it.each(['/embeddings', '/images/generations'])('has an example of %s that works as it is', async (path) => {
    const { text } = await send(`${CATALOG}?format=md`)
    const [, body = ''] = new RegExp(`curl \\S+/api/v1${path} [^']*--data-raw '([^']+)'`).exec(text) ?? []
    const { key } = await makeCaller(1_000, { llm: true })
    const answer = await send(`/api/v1${path}`, { key: key.key, body: JSON.parse(body) })
    expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: expect.any(Number) } } })
    expect((answer.body.data as object[]).length).toBeGreaterThan(0)
  })

  it('lists every tool once, and counts them', async () => {
    const { body } = await send(CATALOG)
    const ids = (body.tools as Entry[]).map((t) => t.id)
    expect(ids).toEqual(availableTools().map((t) => t.id))
    expect(body.count).toBe(ids.length)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('describes each tool with exactly the fields of an entry', async () => {
    for (const tool of await entries()) {
      expect(Object.keys(tool).sort(), tool.id).toEqual([
        'credits',
        'description',
        'group',
        'id',
        'label',
        'params',
        'pricing',
        'result',
        'simulated',
      ])
      expect(tool.pricing === 'fixed' ? Number.isInteger(tool.credits) : tool.credits === null, tool.id).toBe(true)
      for (const param of tool.params) {
        expect(Object.keys(param).sort()).toEqual(['description', 'name', 'required', 'type'])
        expect(typeof param.required).toBe('boolean')
        expect(`${tool.id} ${param.name}: ${param.description}`).toMatch(/: \S+/)
        expect(param.type).toMatch(/\S/)
      }
    }
  })

  it('lists parameters as the interface has them', async () => {
    const tools = await entries()
    const paramsOf = (id: string) =>
      tools.find((t) => t.id === id)?.params.map(({ name, type, required }) => [name, type, required])
    expect(paramsOf('web_search')).toEqual([
      ['query', 'string', true],
      ['country', 'string', false],
      ['language', 'string', false],
      ['location', 'string', false],
      ['site', 'string', false],
      ['freshness', '"day" | "week" | "month" | "year"', false],
      ['page', 'integer', false],
      ['cursor', 'string', false],
    ])
    expect(paramsOf('web_read_url')).toEqual([['url', 'string', true]])
    expect(paramsOf('crypto_get_market_data')).toEqual([
      ['vsCurrency', 'string', false],
      ['order', MARKET_ORDERS, false],
      ['perPage', 'number', false],
      ['page', 'number', false],
      ['cursor', 'string', false],
    ])
    expect(paramsOf('web_screenshot')?.find(([name]) => name === 'device')).toEqual([
      'device',
      '"desktop" | "tablet" | "mobile"',
      false,
    ])
  })

  it('says what each tool returns as a type', async () => {
    const tools = await entries()
    const typeOf = (id: string) => tools.find((tool) => tool.id === id)?.result
    expect(typeOf('web_search')).toContain('rows: { title: string; url: string; snippet: string; content: "" }[]')
    for (const { id, result } of tools) expect(result, id).toMatch(/^\{[\s\S]*\}$/)
  })

  it('has the agent and model sections with every field', async () => {
    const { agent, llm } = (await send(CATALOG)).body as Record<string, Record<string, unknown>>
    expect(agent).toMatchObject({
      endpoint: '/api/v1/agent',
      requiresScope: 'agent',
      modes: ['autonomous', 'interactive'],
      list: '/api/v1/agent/jobs',
    })
    for (const field of ['description', 'model', 'multiTurn', 'historyTurnLimit', 'creditCeiling']) {
      expect(agent?.[field], field).toEqual(expect.stringMatching(/\S/))
    }
    expect(llm).toMatchObject({ endpoint: '/api/v1/chat/completions', openaiCompatible: true, requiresScope: 'llm' })
    expect(llm?.models).toHaveLength(Number(llm?.modelCount))
  })

  it('is the price that is charged', async () => {
    const { key } = await makeCaller()
    const inputs: Record<string, object> = {
      crypto_get_prices: { coinIds: ['bitcoin'] },
      crypto_search: { query: 'bitcoin' },
      crypto_price_history: { coinId: 'bitcoin' },
    }
    for (const { id, credits } of (await entries()).filter((t) => t.id.startsWith('crypto_'))) {
      const { body } = await callQuery(key.key, id, inputs[id] ?? {})
      expect(body.service, id).toEqual({ credits_charged: credits })
    }
  })

  it('is the same with a key, whatever it may call, costs nothing and counts in its window', async () => {
    const { owner, key } = await makeCaller(1_000, { tools: [] })
    const answer = await send(CATALOG, { key: key.key })
    expect(answer.body).toEqual((await send(CATALOG)).body)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    expect(answer.body).not.toHaveProperty('service')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('is answered to HEAD', async () => {
    expect(await send(CATALOG, { method: 'HEAD' })).toMatchObject({ status: 200 })
  })

  it('with format=json is the same as without', async () => {
    expect((await send(`${CATALOG}?format=json`)).body).toEqual((await send(CATALOG)).body)
  })
})

describe('200 with format=md', () => {
  it('is one Markdown document with every tool, parameter, price, operation and error code', async () => {
    const { status, headers, text } = await send(`${CATALOG}?format=md`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^# /)
    for (const tool of await entries()) {
      const section = text.split(`### ${tool.id}\n`)[1]?.split('\n### ')[0] ?? ''
      expect(section, tool.id).toContain(tool.label)
      expect(section, tool.id).toContain(tool.credits === null ? 'metered' : `${tool.credits} credit`)
      for (const { name } of tool.params)
        expect(section, `${tool.id}.${name}`).toMatch(new RegExp(`^  ${name}\\??: `, 'm'))
    }
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`\`${code}\``)
    for (const path of ['/query', '/catalog', '/key', '/usage', '/openapi.json']) expect(text).toContain(path)
  })

  it('is short enough to be read by a model as a whole', async () => {
    const { text } = await send(`${CATALOG}?format=md`)
    expect(Buffer.byteLength(text)).toBeLessThan(88_000)
  })

  it('has tables whose rows all have as many cells as their head', async () => {
    const { text } = await send(`${CATALOG}?format=md`)
    const cells = (line: string) => line.replaceAll('\\|', '').split('|').length
    for (const block of text.split('\n\n').filter((b) => b.startsWith('| '))) {
      const lines = block.trim().split('\n')
      for (const line of lines) expect(cells(line), line).toBe(cells(lines[0] ?? ''))
    }
  })

  it('shows an example that works when it is sent as it stands', async () => {
    const { key } = await makeCaller()
    const { text } = await send(`${CATALOG}?format=md`)
    const body = text.match(/--data-raw '(\{.*\})'/)?.[1] ?? ''
    expect(await send('/api/v1/query', { key: key.key, raw: body })).toMatchObject({ status: 200 })
  })
})

describe('400', () => {
  it.each(['?format=xml', '?format=', '?format=md&format=md', '?x=1', '?__proto__=1'])(
    'is answered to %s',
    async (query) => {
      expect(await send(CATALOG + query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    },
  )
})

describe('401', () => {
  it('is answered to a key that is not valid, though none is needed', async () => {
    const { owner, key } = await makeCaller()
    await revokeKey(owner.id, key.id)
    for (const given of [makeSecret(), 'x', key.key]) {
      expect(await send(CATALOG, { key: given })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      expect(await send(CATALOG, { headers: { 'x-api-key': given } })).toMatchObject({ status: 401 })
    }
    expect(await send(CATALOG, { headers: { authorization: 'Basic eDp5' } })).toMatchObject({ status: 401 })
  })
})

describe('405', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is answered to %s with Allow: GET', async (method) => {
    const answer = await send(CATALOG, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET')
  })
})
