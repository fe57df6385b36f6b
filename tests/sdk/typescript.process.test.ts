import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSigningSecret } from '../../server/agent/webhooks/secret'
import { scriptedGoal } from '../support/agent'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'
import { buildSdk, runToEndOf } from './build'

withSandbox()
withWorker()
const receiver = withReceiver()

let folder: string
let url: string
beforeAll(async () => {
  folder = await buildSdk()
  url = (await sharedListener()).url
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true }))

const newKey = () => makeChatter(100_000, { agent: true })

/** Compiles a program against the built package, strictly, and runs it. */
async function runTyped(name: string, code: string, key: string) {
  const file = path.join(folder, 'sdk/typescript/src', `${name}.ts`)
  writeFileSync(file, code)
  const tsc = path.join(folder, 'node_modules/typescript/bin/tsc')
  const compiled = await runToEndOf(process.execPath, [tsc, '-p', path.join(folder, 'sdk/typescript')])
  rmSync(file)
  if (compiled.exitCode !== 0) return { compiled: compiled.output, output: '', errors: '' }
  const out = path.join(folder, 'sdk/typescript/dist', `${name}.js`)
  const ran = await runToEndOf(process.execPath, [out], { env: { TOLLGATE_KEY: key, TOLLGATE_URL: url } })
  return { compiled: '', ...ran }
}

const HEAD = `import { Tollgate, TollgateError, verifyWebhook } from './index.js'
const tollgate = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL })
`

describe('the client', () => {
  it('calls, pages, batches, waits and reads, each result with the type of its tool', async () => {
    const { owner, key } = await newKey()
    const { compiled, output, errors } = await runTyped(
      'main',
      `${HEAD}
const prices = await tollgate.query('crypto_get_prices', { coinIds: ['bitcoin'] })
const price: number | null | undefined = prices.rows[0]?.prices.usd?.price
const titles: string[] = []
for await (const row of tollgate.rows('web_search', { query: 'toll roads' })) titles.push(row.title)
const { results } = await tollgate.batch([
  { tool: 'crypto_get_prices', params: { coinIds: ['ethereum'] } },
  { tool: 'crypto_search', params: { query: 'sol' } },
])
const task = await tollgate.waitForTask((await tollgate.startTask('crypto_get_market_data', {})).taskId)
const job = await tollgate.run({ goal: ${JSON.stringify(scriptedGoal({ text: 'Done.' }))} })
const charged: number[] = []
for await (const { credits } of tollgate.receipts()) charged.push(credits.charged)
const key = await tollgate.key()
console.log(JSON.stringify({ price, pages: titles.length, statuses: results.map(({ status }) => status), task: task.status, job: job.result, charged: charged.reduce((a, b) => a + b), rpm: key.rpm }))
`,
      key.key,
    )
    expect(compiled + errors).toBe('')
    const seen = JSON.parse(output)
    expect(seen).toMatchObject({ price: 104_250, statuses: [200, 200], task: 'completed', job: 'Done.', rpm: 10_000 })
    expect(seen.pages).toBeGreaterThan(20)
    expect((await readOwnerMoney(owner)).charged).toBe(seen.charged)
  })

  it('does not compile with a wrong tool, parameter or field', async () => {
    const { compiled } = await runTyped(
      'wrong',
      `${HEAD}
await tollgate.query('web_serach', { query: 'x' })
await tollgate.query('web_search', { qurey: 'x' })
const { segments } = await tollgate.query('web_search', { query: 'x' })
`,
      '',
    )
    expect(compiled.split('\n').filter((line) => line.includes('error TS'))).toHaveLength(3)
  })

  it('repeats what failed for now without paying twice, and says why in the end', async () => {
    const { owner, key } = await newKey()
    const { compiled, output } = await runTyped(
      'errors',
      `${HEAD}
let asked = 0
const keys = new Set<string>()
const flaky = new Tollgate({
  key: process.env.TOLLGATE_KEY ?? '',
  baseUrl: process.env.TOLLGATE_URL,
  fetch: async (input, init) => {
    keys.add(new Headers(init?.headers).get('idempotency-key') ?? '')
    const response = await fetch(input, init)
    if (++asked < 3) throw new Error('cut')
    return response
  },
})
const { service } = await flaky.query('crypto_get_prices', { coinIds: ['bitcoin'] })
const fail = (tool: 'crypto_get_prices', coinIds: string[]) =>
  new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL, attempts: 2 })
    .query(tool, { coinIds })
    .catch((error) => (error instanceof TollgateError ? [error.status, error.reason, error.retryable, error.charged] : String(error)))
console.log(JSON.stringify({ asked, keys: keys.size, charged: service.credits_charged, failed: await fail('crypto_get_prices', ['sandbox-500']), refused: await fail('crypto_get_prices', []) }))
`,
      key.key,
    )
    expect(compiled).toBe('')
    expect(JSON.parse(output)).toEqual({
      asked: 3,
      keys: 1,
      charged: 3,
      failed: [502, 'provider_error', true, 3],
      refused: [400, 'invalid_input', false, null],
    })
    // Three attempts were one call; a failure that was charged was called anew.
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 9, receipts: 3 })
  })

  it('streams a completion, and reads what a model refused or failed', async () => {
    const { owner, key } = await newKey()
    const { compiled, output } = await runTyped(
      'stream',
      `${HEAD}
const ask = (content: string) => ({ model: '${CHAT_MODEL}', messages: [{ role: 'user', content }] })
const texts: string[] = []
let charged = 0
for await (const { choices, service } of tollgate.chatStream(ask('[[sandbox {"text": "One two three.", "chunks": 3}]]'))) {
  const { content } = choices[0]?.delta ?? {}
  if (content) texts.push(content)
  charged = service?.credits_charged ?? charged
}
const once = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL, attempts: 1 })
const failed = async (work: Promise<unknown>) =>
  work.then(() => null, (error) => (error instanceof TollgateError ? [error.status, error.reason, error.retryable, error.message] : String(error)))
const cut = async () => {
  for await (const chunk of once.chatStream(ask('[[sandbox {"text": "One two three.", "failAfterChunks": 1}]]'))) void chunk
}
console.log(JSON.stringify({ texts, charged, refused: await failed(once.chat({ ...ask('x'), models: ['y'] })), broken: await failed(once.chat(ask('[[sandbox {"status": 500}]]'))), cut: await failed(cut()) }))
`,
      key.key,
    )
    expect(compiled).toBe('')
    const seen = JSON.parse(output)
    expect(seen.texts.length).toBeGreaterThan(1)
    expect(seen.texts.join('')).toBe('One two three.')
    expect(seen.refused).toEqual([400, 'invalid_input', false, expect.stringMatching(/^models: .*name one model/)])
    expect(seen.broken).toEqual([502, 'provider_error', true, expect.stringMatching(/failed/)])
    expect(seen.cut).toEqual([200, 'provider_error', true, expect.any(String)])
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThanOrEqual(seen.charged)
  })

  it('calls for a customer, begins batches in the background, and cancels', async () => {
    const { owner } = await newKey()
    const key = await makeKey(owner, { namesCustomers: true })
    const { compiled, output } = await runTyped(
      'customer',
      `${HEAD}
const acme = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL, customer: 'acme' })
const slow = { tool: 'crypto_get_prices' as const, params: { coinIds: ['sandbox-slow'] } }
const { results } = await acme.startBatch(Array.from({ length: 9 }, () => slow))
const ids = results.map(({ body }) => String(body.taskId))
const cancelled = await Promise.all(ids.map((id) => acme.cancelTask(id)))
const ends = await Promise.all(ids.map((id) => acme.waitForTask(id)))
const of = []
for await (const { customer, credits } of acme.receipts({ customer: 'acme' })) of.push([customer, credits.charged])
console.log(JSON.stringify({ cancelled: cancelled.map(({ status }) => status), ends: ends.map(({ status }) => status), charged: of.filter(([, charged]) => charged).length }))
`,
      key.key,
    )
    expect(compiled).toBe('')
    const seen = JSON.parse(output)
    expect(seen.cancelled.filter((status: string) => status === 'cancelled').length).toBeGreaterThan(0)
    expect(seen.ends.filter((status: string) => status === 'completed')).toHaveLength(seen.charged)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, charged: 3 * seen.charged })
  })

  it('verifies webhooks', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const at = new Date()
    const body = JSON.stringify({ type: 'task.completed', data: { taskId: 'x' } })
    const headers = {
      'webhook-id': 'm',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('m', at, body),
    }
    const { verifyWebhook } = await import(path.join(folder, 'sdk/typescript/dist/index.js'))
    expect(verifyWebhook(secret, headers, body)).toMatchObject({ type: 'task.completed' })
    expect(() => verifyWebhook(secret, headers, `${body} `)).toThrow()
  })
})

describe('tollgate', () => {
  const home = () => mkdtempSync(path.join(folder, 'home-'))
  const cli = () => path.join(folder, 'sdk/typescript/dist/cli.js')
  const tollgate = (args: string[], env: Record<string, string>, input = '') =>
    runToEndOf(process.execPath, [cli(), ...args], { env, input })

  it('login keeps a key for its user alone; call, chat and usage work with it', async () => {
    const { owner, key } = await newKey()
    const config = home()
    const env = { XDG_CONFIG_HOME: config }
    expect(await tollgate(['call', 'crypto_get_prices'], env)).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/Log in first/),
    })
    const login = await tollgate(['login', '--url', url], env, `${key.key}\n`)
    expect(login).toMatchObject({ exitCode: 0, output: expect.stringMatching(/Logged in/) })
    const file = path.join(config, 'tollgate/config.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ key: key.key, baseUrl: url })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const call = await tollgate(['call', 'crypto_get_prices', 'coinIds=["bitcoin"]'], env)
    expect(JSON.parse(call.output)).toMatchObject({ rows: [{ coinId: 'bitcoin' }], service: { credits_charged: 3 } })
    const later = await tollgate(['call', 'crypto_get_market_data', 'perPage=1', '--async'], env)
    expect(JSON.parse(later.output)).toMatchObject({ status: 'completed', httpStatus: 200 })
    const chat = await tollgate(['chat', 'Say', 'hello'], env)
    expect(chat.exitCode, chat.errors).toBe(0)
    expect(chat.output).toMatch(/\S/)
    expect(chat.errors).toMatch(/^\n\d+ credits/)
    const usage = await tollgate(['usage', '--limit', '2'], env)
    expect(usage.output.trim().split('\n')).toHaveLength(2)
    expect((await readOwnerMoney(owner)).receipts).toBe(3)
  })

  it('a refusal is a line with its reason, and exit 1', async () => {
    const { key } = await newKey()
    const env = { XDG_CONFIG_HOME: home(), TOLLGATE_KEY: key.key, TOLLGATE_URL: url }
    const wrong = await tollgate(['call', 'crypto_get_prices', 'coinIds=[]'], env)
    expect(wrong).toMatchObject({ exitCode: 1, output: '', errors: expect.stringMatching(/^invalid_input: .*\n$/) })
    expect(await tollgate(['dance'], env)).toMatchObject({ exitCode: 1, output: expect.stringMatching(/^Usage/) })
    expect(await tollgate(['login', 'tg_wrong'], env)).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^unauthorized/),
    })
  })

  it('run watches, asks and answers', async () => {
    const { key } = await newKey()
    const ask = { name: 'ask_user', arguments: { question: 'Which city?' } }
    const goal = scriptedGoal({ turns: [{ toolCalls: [ask] }, { text: 'Thank you.' }] })
    const env = { XDG_CONFIG_HOME: home(), TOLLGATE_KEY: key.key, TOLLGATE_URL: url }
    const ran = await tollgate(['run', goal, '--interactive'], env, 'Olbia\n')
    expect(ran).toMatchObject({ exitCode: 0, output: 'Thank you.\n', errors: expect.stringMatching(/Which city\?/) })
  })

  it('listen forwards the end of a run, signed', async () => {
    const { owner, key } = await newKey()
    const env = { PATH: String(process.env.PATH), XDG_CONFIG_HOME: home(), TOLLGATE_KEY: key.key, TOLLGATE_URL: url }
    const child = spawn(process.execPath, [cli(), 'listen', '--forward-to', receiver.url('/listen')], {
      env: { ...env, NODE_ENV: 'production' },
    })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    try {
      await pollUntil('the listener', async () => output.includes('Forwarding'))
      await tollgate(['run', scriptedGoal({ text: 'Done.' })], env)
      await pollUntil('the event', async () => receiver.received('/listen').length > 0)
      const [got] = receiver.received('/listen')
      const { secret } = await getSigningSecret(owner.id)
      expect(new Webhook(secret).verify(String(got?.body), got?.headers ?? {})).toMatchObject({
        type: 'agent.completed',
        data: { status: 'completed', result: 'Done.' },
      })
    } finally {
      child.kill()
    }
  })
})
