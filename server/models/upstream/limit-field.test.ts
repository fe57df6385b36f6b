import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { log } from '../../kit/log'
import type { CompletionBody } from '../completion'
import type { Model, Upstream } from '../shape'
import { chatModelRequest } from '../wires/chat/request'
import { callModel } from './call'

/** What an upstream answers to a body: an error, or null where it takes it. */
type Refuse = (body: CompletionBody) => { status: number; error: object } | null

const asked: CompletionBody[] = []
let refuse: Refuse = () => null
const server = createServer(async (req, res) => {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece as Buffer)
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as CompletionBody
  asked.push(body)
  const refused = refuse(body)
  if (refused) return void res.writeHead(refused.status).end(JSON.stringify(refused.error))
  const choices = [{ index: 0, delta: { content: 'a' }, message: { content: 'a' }, finish_reason: 'stop' }]
  if (body.stream !== true) return void res.end(JSON.stringify({ choices }))
  res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify({ choices })}\n\n`)
})
beforeAll(async () => {
  log.level = 'silent'
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

/** A model at a path of its own: nothing is remembered of it. */
const modelAt = (path: string, more: Partial<Upstream> = {}): Model => ({
  id: 'acme/one',
  name: 'One',
  provider: 'Acme',
  kind: 'chat',
  contextSize: 1_000,
  maxOutput: 100,
  defaultMaxOutput: 100,
  usdPer1mInput: 1,
  usdPer1mOutput: 1,
  creditsPer1mInput: 1n,
  creditsPer1mOutput: 1n,
  vision: false,
  upstreams: [
    {
      api: 'chat',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`,
      apiKeyEnv: null,
      model: 'm',
      ...more,
    },
  ],
})

async function limitsSent(model: Model, body: CompletionBody, { isStream = false, outputTokens = 7 } = {}) {
  asked.length = 0
  const request = { ...chatModelRequest(body), isStream, outputTokens }
  const { signal } = new AbortController()
  const outcome = await callModel(model, request, { signal }).then(
    ({ kind }) => kind,
    (error: Error) => error.message,
  )
  const limits = asked.map(({ max_tokens, max_completion_tokens }) => ({ max_tokens, max_completion_tokens }))
  return { outcome, limits: JSON.parse(JSON.stringify(limits)) as object[] }
}

const forbids =
  (field: string): Refuse =>
  (body) =>
    field in body
      ? {
          status: 422,
          error: { message: { detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs' }] } },
        }
      : null

test('goes out under the name of the registry, whatever the caller called it', async () => {
  refuse = () => null
  const older = modelAt('a', { limitField: 'max_tokens' })
  expect(await limitsSent(older, { max_completion_tokens: 5 })).toEqual({
    outcome: 'json',
    limits: [{ max_tokens: 5 }],
  })
  expect(await limitsSent(older, {})).toMatchObject({ limits: [{ max_tokens: 7 }] })
  const newer = modelAt('b', { limitField: 'max_completion_tokens' })
  expect(await limitsSent(newer, { max_tokens: 5 })).toMatchObject({ limits: [{ max_completion_tokens: 5 }] })
})

test('goes out as the caller called it where the registry has no name', async () => {
  expect(await limitsSent(modelAt('c'), { max_tokens: 5 })).toMatchObject({ limits: [{ max_tokens: 5 }] })
  expect(await limitsSent(modelAt('c'), {})).toMatchObject({ limits: [{ max_completion_tokens: 7 }] })
})

test.each([false, true])(
  'is tried under the other name where one is refused, which is remembered (stream %s)',
  async (isStream) => {
    refuse = forbids('max_completion_tokens')
    const model = modelAt(`d${isStream}`)
    expect(await limitsSent(model, {}, { isStream })).toEqual({
      outcome: isStream ? 'stream' : 'json',
      limits: [{ max_completion_tokens: 7 }, { max_tokens: 7 }],
    })
    expect(await limitsSent(model, { max_completion_tokens: 5 }, { isStream })).toMatchObject({
      limits: [{ max_tokens: 5 }],
    })
    refuse = forbids('max_tokens')
    expect(await limitsSent(model, {}, { isStream })).toMatchObject({
      limits: [{ max_tokens: 7 }, { max_completion_tokens: 7 }],
    })
    expect(await limitsSent(model, { max_tokens: 5 }, { isStream })).toMatchObject({
      limits: [{ max_completion_tokens: 5 }],
    })
  },
)

test('is the caller’s mistake where neither name helps, and the first reason is reported', async () => {
  refuse = (body) => ({ status: 400, error: { error: { message: `${Object.keys(body).join(' ')} is too large` } } })
  const { outcome, limits } = await limitsSent(modelAt('e'), { max_tokens: 5 })
  expect(outcome).toMatch(/max_tokens model is too large/)
  expect(limits).toEqual([{ max_tokens: 5 }, { max_completion_tokens: 5 }])
})

test('is not tried again for another mistake, another status, or a name that the registry chose', async () => {
  refuse = () => ({ status: 400, error: { error: { message: 'messages is missing' } } })
  expect(await limitsSent(modelAt('f'), {})).toMatchObject({ limits: [{ max_completion_tokens: 7 }] })
  refuse = () => ({ status: 500, error: { error: { message: 'max_completion_tokens broke us' } } })
  expect(await limitsSent(modelAt('g'), {})).toMatchObject({ limits: [{ max_completion_tokens: 7 }] })
  refuse = forbids('max_tokens')
  const chosen = modelAt('h', { limitField: 'max_tokens' })
  expect(await limitsSent(chosen, {})).toEqual({ outcome: 'max_tokens: Extra inputs', limits: [{ max_tokens: 7 }] })
})
