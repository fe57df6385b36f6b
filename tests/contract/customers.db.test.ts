import { describe, expect, it } from 'vitest'
import { suspendCustomer } from '../../server/accounts/customers/change'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, chargedTo, send, type TestResponse, withSandbox } from '../support/api'
import { CHAT_MODEL, receiptOf, scriptedMessage } from '../support/chat'
import { mcpFailureOf, sendRpc } from '../support/mcp'
import { makeCaller, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

type Headers = Record<string, string>
const named = (name: string): Headers => ({ 'x-tollgate-customer': name })
const everything = { llm: true, agent: true, namesCustomers: true }
const prices = { coinIds: ['bitcoin'] }
const messages = [scriptedMessage({ text: 'Hi.' })]

const query = (key: string, headers: Headers = {}) => callQuery(key, 'crypto_get_prices', prices, headers)
const post =
  (path: string, body: object) =>
  (key: string, headers?: Headers, more: object = {}) =>
    send(`/api/v1/${path}`, { key, body: { ...body, ...more }, headers })

const chat = post('chat/completions', { model: CHAT_MODEL, messages })
const responses = post('responses', { model: CHAT_MODEL, input: messages[0]?.content })
const claude = post('messages', { model: CHAT_MODEL, max_tokens: 64, messages })

const ENTRIES: [string, (key: string, headers?: Headers) => Promise<TestResponse>][] = [
  ['POST /query', query],
  ['POST /query in the background', (key, headers) => query(key, { ...headers, prefer: 'respond-async' })],
  ['POST /chat/completions', chat],
  ['POST /responses', responses],
  ['POST /messages', claude],
  ['POST /embeddings', post('embeddings', { model: 'lantern/wick-embed', input: 'x' })],
  ['POST /images/generations', post('images/generations', { prompt: 'a lighthouse' })],
  [
    'MCP',
    (key, headers) =>
      sendRpc(
        key,
        { id: 1, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: prices } },
        { headers },
      ),
  ],
]

const customersOf = ({ id }: TestOwner) =>
  prisma().customer.findMany({ where: { ownerId: id }, orderBy: { id: 'asc' } })
const suspend = (ownerId: number, id: number, suspended = true) => suspendCustomer({ ownerId, id }, suspended)

describe('a call', () => {
  it.each(ENTRIES)('%s is for the customer that its header names', async (_, call) => {
    const { owner, key } = await makeCaller(1_000_000, everything)
    const answer = await call(key.key, named('acme'))
    expect([200, 202], answer.text).toContain(answer.status)
    await pollUntil('its receipt', async () => (await receiptOf(key.key, answer)).customer === 'acme' || null)
    expect(await receiptOf(key.key, answer)).toMatchObject({ customer: 'acme', status: 'ok' })
    expect(await customersOf(owner)).toMatchObject([{ name: 'acme', suspendedAt: null }])
  })

  it.each([
    ['user', chat, { user: 'acme' }],
    ['safety_identifier', chat, { user: 'older', safety_identifier: 'acme' }],
    ['user of responses', responses, { user: 'acme' }],
    ['safety_identifier of responses', responses, { safety_identifier: 'acme' }],
    ['metadata.user_id', claude, { metadata: { user_id: 'acme' } }],
  ])('is for the one in the field %s of its wire, where no header says another', async (_, call, fields) => {
    const { key } = await makeCaller(1_000_000, everything)
    expect(await receiptOf(key.key, await call(key.key, {}, fields))).toMatchObject({ customer: 'acme' })
    expect(await receiptOf(key.key, await call(key.key, named('shop'), fields))).toMatchObject({ customer: 'shop' })
  })

  it('that names none is for none, and one of a key that names none is too', async () => {
    const [reader, other] = [await makeCaller(1_000_000, everything), await makeCaller(1_000_000, { llm: true })]
    expect(await receiptOf(reader.key.key, await query(reader.key.key))).toMatchObject({ customer: null })
    for (const answer of [
      await query(other.key.key, named('acme')),
      await query(other.key.key, named('a\tb')),
      await chat(other.key.key, {}, { user: 'acme' }),
    ]) {
      expect(answer.status).toBe(200)
      expect(await receiptOf(other.key.key, answer)).toMatchObject({ customer: null })
    }
    expect(await customersOf(other.owner)).toEqual([])
  })

  it('takes names as they are: any script, an e-mail address, 128 characters', async () => {
    const { owner, key } = await makeCaller(1_000_000, everything)
    const names = ['Müller & Søn', '東京', 'a@example.com', 'x'.repeat(128)]
    for (const name of names) {
      // As curl sends it. Beside a body of text Node would write the header's as UTF-8 again.
      const headers = { 'content-type': 'application/json', ...named(Buffer.from(name).toString('latin1')) }
      const raw = Buffer.from(JSON.stringify({ tool: 'crypto_get_prices', params: prices }))
      const answer = await send('/api/v1/query', { key: key.key, headers, raw })
      expect(await receiptOf(key.key, answer)).toMatchObject({ customer: name })
    }
    expect((await customersOf(owner)).map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['an empty name', named('')],
    ['129 characters', named('x'.repeat(129))],
    ['a control character', named('a\tb')],
    ['what receipts show of deleted names', named('deleted:x')],
  ])('with %s is 400, and makes no customer', async (_, headers) => {
    const { owner, key } = await makeCaller(1_000_000, everything)
    for (const call of [query, chat]) {
      const answer = await call(key.key, headers)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('X-Tollgate-Customer')
    }
    expect(await customersOf(owner)).toEqual([])
    expect(await chargedTo(owner)).toBe(0)
  })

  it('of a key that is bound to a customer is for that one, whatever it names', async () => {
    const { key } = await makeCaller(1_000_000, { llm: true, customer: 'acme' })
    for (const answer of [
      await query(key.key),
      await query(key.key, named('acme')),
      await chat(key.key, {}, { user: 'x' }),
    ])
      expect(await receiptOf(key.key, answer)).toMatchObject({ customer: 'acme' })
    const refused = await query(key.key, named('other'))
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'customer_bound' } })
    expect(refused.body.error).toContain('"acme"')
  })
})

it('200 first calls at once make one customer', async () => {
  const { owner, key } = await makeCaller(1_000_000, everything)
  const answers = await Promise.all(Array.from({ length: 200 }, () => query(key.key, named('acme'))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const [one, ...others] = await customersOf(owner)
  expect(others).toEqual([])
  expect(await prisma().receipt.count({ where: { ownerId: owner.id, customerId: one?.id } })).toBe(200)
})

describe('a suspended customer', () => {
  it.each(ENTRIES)('%s is refused from the next call on, and served again afterwards', async (name, call) => {
    const { owner, key } = await makeCaller(1_000_000, everything)
    await call(key.key, named('acme'))
    await pollUntil('the first call', async () => (await chargedTo(owner)) > 0 || null)
    const charged = await chargedTo(owner)
    const [{ id } = { id: 0 }] = await customersOf(owner)
    await suspend(owner.id, id)
    const refused = await call(key.key, named('acme'))
    const said = name === 'MCP' ? mcpFailureOf(refused) : (refused.body.error as object)
    const text = JSON.stringify(name === 'MCP' ? said : refused.body)
    expect(refused.status).toBe(name === 'MCP' ? 200 : 403)
    expect(text).toContain('customer_suspended')
    expect(text).toContain('This customer is suspended')
    expect(await chargedTo(owner)).toBe(charged)
    expect((await call(key.key, named('other'))).status).toBeLessThan(300)
    await suspend(owner.id, id, false)
    expect((await call(key.key, named('acme'))).status).toBeLessThan(300)
  })

  it('whose key is bound to it is refused too', async () => {
    const { owner, key } = await makeCaller(1_000_000, { customer: 'acme' })
    const [{ id } = { id: 0 }] = await customersOf(owner)
    await suspend(owner.id, id)
    expect(await query(key.key)).toMatchObject({ status: 403, body: { reason: 'customer_suspended' } })
  })
})

describe('a run', () => {
  const goal = (turns: object[]) => scriptedGoal({ turns })
  const search = { name: 'web_search', arguments: { query: 'toll roads' } }

  it('is for the customer of its start with every step; a follow-up is for the same, or for another', async () => {
    const { key } = await makeCaller(1_000_000, everything)
    const { body } = await startAgentRun(
      key.key,
      { goal: goal([{ toolCalls: [search] }, { text: 'Done.' }]) },
      named('acme'),
    )
    const { jobId } = body
    expect(await untilStatus(key.key, jobId, 'completed')).toMatchObject({ customer: 'acme' })
    for (const [headers, customer] of [[{}, 'acme'] as const, [named('shop'), 'shop'] as const]) {
      const next = await startAgentRun(key.key, { goal: goal([{ text: 'Again.' }]), conversationId: jobId }, headers)
      expect(next.status, next.text).toBe(202)
      expect(await untilStatus(key.key, jobId, 'completed')).toMatchObject({ customer })
    }
    const steps = (await readSteps(key.key, jobId)).filter(({ requestId }) => requestId !== null)
    const receipts = await Promise.all(
      steps.map(({ requestId }) => send(`/api/v1/usage/${requestId}`, { key: key.key })),
    )
    const customers = receipts.map(({ body }) => body.customer)
    expect(customers.filter((customer) => customer === 'acme').length).toBeGreaterThanOrEqual(4)
    expect(customers.at(-1)).toBe('shop')
    expect((await send('/api/v1/agent/jobs', { key: key.key })).body.jobs).toMatchObject([{ customer: 'shop' }])
  })

  it('of a suspended customer does not start, and one in progress ends with its next step', async () => {
    const { owner, key } = await makeCaller(1_000_000, everything)
    const asks = { name: 'ask_user', arguments: { question: 'Which?' } }
    const script = goal([{ toolCalls: [asks] }, { toolCalls: [search] }, { text: 'Done.' }])
    const { body } = await startAgentRun(key.key, { goal: script, mode: 'interactive' }, named('acme'))
    await untilStatus(key.key, body.jobId, 'awaiting_input')
    const [{ id } = { id: 0 }] = await customersOf(owner)
    await suspend(owner.id, id)
    const refused = await startAgentRun(key.key, {}, named('acme'))
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'customer_suspended' } })
    await send(`/api/v1/agent/${body.jobId}/answer`, { key: key.key, body: { approved: true, feedback: 'That.' } })
    const ended = await untilStatus(key.key, body.jobId, 'failed')
    expect(ended.result ?? '').toContain('This customer is suspended')
    const next = await startAgentRun(key.key, { goal: script, conversationId: body.jobId })
    expect(next).toMatchObject({ status: 403, body: { reason: 'customer_suspended' } })
  })
})

it('calls of a batch are for the customer of their request', async () => {
  const { key } = await makeCaller(1_000_000, everything)
  const call = { tool: 'crypto_get_prices', params: prices }
  const headers = named('acme')
  const { body } = await send('/api/v1/query/batch', { key: key.key, headers, body: { calls: [call, call] } })
  for (const { requestId } of body.results as { requestId: string }[])
    expect((await send(`/api/v1/usage/${requestId}`, { key: key.key })).body).toMatchObject({ customer: 'acme' })
})

it('usage lists the calls of one customer', async () => {
  const { key } = await makeCaller(1_000_000, everything)
  for (const name of ['acme', 'shop', 'acme']) await query(key.key, named(name))
  await query(key.key)
  const list = async (customer: string) =>
    (await send(`/api/v1/usage?customer=${customer}`, { key: key.key })).body.rows as { customer: string }[]
  expect((await list('acme')).map(({ customer }) => customer)).toEqual(['acme', 'acme'])
  expect(await list('nobody')).toEqual([])
  expect((await send('/api/v1/usage', { key: key.key })).body.rows).toHaveLength(4)
})
