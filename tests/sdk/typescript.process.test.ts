import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSigningSecret } from '../../server/agent/webhooks/secret'
import { WebhookEvent } from '../../server/cli/sdk/webhook-events'
import { scriptedGoal } from '../support/agent'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { SOURCE_ROOT } from '../support/source-imports'
import { withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'
import { buildSdk, type EndedProgram, runToEndOf } from './build'

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

const sources: Record<string, string> = {}
let diagnostics: string[] = []

/** A program that is compiled with all others, once: its name. */
function program(name: string, code: string): string {
  sources[name] = code
  return name
}

/** Compiles every program against the built package, strictly. */
beforeAll(async () => {
  const src = path.join(folder, 'sdk/typescript/src')
  const files = Object.entries(sources).map(([name, code]) => [path.join(src, `${name}.ts`), code] as const)
  for (const [file, code] of files) writeFileSync(file, code)
  const tsc = path.join(folder, 'node_modules/typescript/bin/tsc')
  const { output } = await runToEndOf(process.execPath, [
    tsc,
    '--checkers',
    '1',
    '-p',
    path.join(folder, 'sdk/typescript'),
  ])
  diagnostics = output.split('\n').filter((line) => line.includes('error TS'))
  for (const [file] of files) rmSync(file)
  expect(diagnostics.filter((line) => !line.includes('/src/'))).toEqual([])
})

/** What the compiler says of a program. */
const errorsOf = (name: string) => diagnostics.filter((line) => line.includes(`/src/${name}.ts(`))

/** Runs a program that compiles. */
async function runTyped(name: string, key: string): Promise<EndedProgram> {
  expect(errorsOf(name)).toEqual([])
  const out = path.join(folder, 'sdk/typescript/dist', `${name}.js`)
  return runToEndOf(process.execPath, [out], { env: { TOLLGATE_KEY: key, TOLLGATE_URL: url } })
}

const HEAD = `import { Tollgate, TollgateError, verifyWebhook } from './index.js'
const tollgate = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL })
`

describe('the client', () => {
  const main = program(
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
  )
  it('calls, pages, batches, waits and reads, each result with the type of its tool', async () => {
    const { owner, key } = await newKey()
    const { output, errors } = await runTyped(main, key.key)
    expect(errors).toBe('')
    const seen = JSON.parse(output)
    expect(seen).toMatchObject({ price: 104_250, statuses: [200, 200], task: 'completed', job: 'Done.', rpm: 10_000 })
    expect(seen.pages).toBeGreaterThan(20)
    expect((await readOwnerMoney(owner)).charged).toBe(seen.charged)
  })

  const wrong = program(
    'wrong',
    `${HEAD}
await tollgate.query('web_serach', { query: 'x' })
await tollgate.query('web_search', { qurey: 'x' })
const { segments } = await tollgate.query('web_search', { query: 'x' })
`,
  )
  it('does not compile with a wrong tool, parameter or field', () => {
    expect(errorsOf(wrong)).toHaveLength(3)
  })

  const derived = program(
    'derived',
    `${HEAD}import type { api, NoticeEvent, RunEvent, TaskEvent, WebhookEvent } from './index.js'
export const answerAll = async (jobId: string) => {
  const { feedbackIgnored } = await tollgate.answer(jobId, { approved: true, scope: 'run', toolCallId: 'x', edit: { a: 1 }, without: ['b'] })
  for await (const { credits } of tollgate.receipts({ keyId: 3, status: 'ok', from: '2026-01-01', limit: 10 })) void credits.charged
  return feedbackIgnored
}
export function shownOf(event: WebhookEvent): number | string | null | undefined {
  if (event.type === 'notice.limit') return event.data.percent + event.data.limit.cap
  if (event.type === 'notice.key_expiring') return event.data.keyId
  if (event.type === 'task.failed') return event.data.creditsCharged
  if (event.type === 'agent.awaiting_input') return event.data.awaitingInput?.approval?.summary
  if (event.type === 'webhook.test') return event.data.message
  return event.type
}
export const both = (event: RunEvent, job: api.AgentJob, task: TaskEvent, notice: NoticeEvent) => [event.conversationId === job.conversationId, task.tool, notice.text, notice.url]
export type Kept = WebhookEvent
`,
  )
  it('has the types of the API where it answers, reads receipts and takes events', () => {
    expect(errorsOf(derived)).toEqual([])
  })

  const refused = [
    ['an unknown scope of an answer', "void tollgate.answer('x', { approved: true, scope: 'always' })"],
    ['a key id that is a text', "tollgate.receipts({ keyId: '3' })"],
    ['an unknown filter of receipts', 'tollgate.receipts({ key: 3 })'],
    ['an unknown event', "export const is = (e: import('./index.js').WebhookEvent) => e.type === 'notice.lmit'"],
  ].map(([what, line], i) => [what, program(`refused-${i}`, `${HEAD}${line}\n`)] as const)
  it.each(refused)('%s does not compile', (_what, name) => {
    expect(errorsOf(name)).toHaveLength(1)
  })

  const failing = program(
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
  )
  it('repeats what failed for now without paying twice, and says why in the end', async () => {
    const { owner, key } = await newKey()
    const { output } = await runTyped(failing, key.key)
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

  const streaming = program(
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
  )
  it('streams a completion, and reads what a model refused or failed', async () => {
    const { owner, key } = await newKey()
    const { output } = await runTyped(streaming, key.key)
    const seen = JSON.parse(output)
    expect(seen.texts.length).toBeGreaterThan(1)
    expect(seen.texts.join('')).toBe('One two three.')
    expect(seen.refused).toEqual([400, 'invalid_input', false, expect.stringMatching(/^models: .*name one model/)])
    expect(seen.broken).toEqual([502, 'provider_error', true, expect.stringMatching(/failed/)])
    expect(seen.cut).toEqual([200, 'provider_error', true, expect.any(String)])
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThanOrEqual(seen.charged)
  })

  const customer = program(
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
  )
  it('calls for a customer, begins batches in the background, and cancels', async () => {
    const { owner } = await newKey()
    const key = await makeKey(owner, { namesCustomers: true })
    const { output } = await runTyped(customer, key.key)
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

describe('the package', () => {
  /** Packages of this project, as npm finds them without a registry. */
  const local = (name: string) => `file:${path.join(SOURCE_ROOT, 'node_modules', name)}`
  const npm = (cwd: string, ...args: string[]) =>
    runToEndOf('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
      cwd,
      env: { npm_config_cache: path.join(folder, 'npm'), npm_config_offline: 'true' },
    })

  it('builds itself when it is packed, and runs where it is installed', async () => {
    const from = path.join(folder, 'sdk/typescript')
    rmSync(path.join(from, 'dist'), { recursive: true })
    const packed = await npm(from, 'pack', '--pack-destination', folder)
    expect(packed, packed.errors).toMatchObject({ exitCode: 0 })
    // Outside of that folder, whose packages Node.js would find.
    const into = mkdtempSync(path.join(tmpdir(), 'tollgate-empty-'))
    writeFileSync(path.join(into, 'package.json'), '{}')
    const tarball = path.join(folder, 'tollgate-client-0.1.0.tgz')
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8'))
    // What builds it is its own, in the version that it was tested with.
    const { devDependencies: tested } = JSON.parse(readFileSync(path.join(SOURCE_ROOT, 'package.json'), 'utf8'))
    expect(tested).toMatchObject(devDependencies)
    expect(Object.keys(devDependencies)).toContain('typescript')
    const installed = await npm(into, 'install', '--ignore-scripts', ...Object.keys(dependencies).map(local), tarball)
    expect(installed, installed.errors).toMatchObject({ exitCode: 0 })
    const program =
      "import { Tollgate, verifyWebhook } from 'tollgate-client'; console.log(typeof Tollgate, typeof verifyWebhook)"
    expect(await runToEndOf(process.execPath, ['--input-type=module', '-e', program], { cwd: into })).toMatchObject({
      output: 'function function\n',
    })
    const command = await runToEndOf(path.join(into, 'node_modules/.bin/tollgate'), ['--help'])
    expect(command, command.errors).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^Usage: tollgate/) })
    rmSync(into, { recursive: true })
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
    expect(chat.errors).toMatch(/^\n(1 credit|\d\d* credits), /)
    expect(chat.errors).not.toMatch(/\b1 credits/)
    const usage = await tollgate(['usage', '--limit', '2'], env)
    expect(usage.output.trim().split('\n')).toHaveLength(2)
    expect((await readOwnerMoney(owner)).receipts).toBe(3)
  })

  it.each(['', 'here/config'])('an XDG_CONFIG_HOME of "%s" counts as not set', async (config) => {
    const { key } = await newKey()
    const cwd = home()
    const env = { HOME: home(), XDG_CONFIG_HOME: config }
    const login = await runToEndOf(process.execPath, [cli(), 'login', '--url', url], { env, cwd, input: key.key })
    expect(login, login.errors).toMatchObject({ exitCode: 0 })
    expect(readdirSync(cwd)).toEqual([])
    expect(JSON.parse(readFileSync(path.join(env.HOME, '.config/tollgate/config.json'), 'utf8')).key).toBe(key.key)
  })

  it('each command has its help, and takes no option of another', async () => {
    const help = await tollgate(['--help'], {})
    expect(help.output).toMatch(/^Usage: tollgate COMMAND/)
    for (const name of ['login', 'call', 'chat', 'run', 'usage', 'listen']) {
      expect(help.output).toMatch(new RegExp(`^  ${name} `, 'm'))
      const { exitCode, output } = await tollgate([name, '--help'], {})
      expect([exitCode, output]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: tollgate ${name} `))])
      expect(output).not.toMatch(/tollgate COMMAND/)
    }
    expect((await tollgate(['run', '--help'], {})).output).toMatch(/--watch +\S.*\n.*--interactive +\S/)
    const listen = (await tollgate(['listen', '--help'], {})).output
    expect(listen).toMatch(/--print-secret/)
    expect(listen).toMatch(/notices/i)
    expect(await tollgate(['usage', '--watch'], { TOLLGATE_KEY: 'tg_x' })).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/usage has no option --watch/),
    })
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

  it('listen forwards the ends of runs and tasks, signed, and shows the secret only on demand', async () => {
    const { owner, key } = await newKey()
    const env = { PATH: String(process.env.PATH), XDG_CONFIG_HOME: home(), TOLLGATE_KEY: key.key, TOLLGATE_URL: url }
    const { secret } = await getSigningSecret(owner.id)
    expect(await tollgate(['listen', '--print-secret'], env)).toMatchObject({ exitCode: 0, output: `${secret}\n` })
    const { query } = caller(key.key)
    const before = await query('crypto_get_market_data', { perPage: 2 })
    await pollUntil('the end of what went before', async () => (await before.read()).status === 'completed')
    const child = spawn(process.execPath, [cli(), 'listen', '--forward-to', receiver.url('/listen')], {
      env: { ...env, NODE_ENV: 'production' },
    })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    const eventOf = (type: string) =>
      receiver.received('/listen').find(({ body }) => (JSON.parse(body) as { type: string }).type === type)
    try {
      await pollUntil('the listener', async () => output.includes('Forwarding'))
      expect(output).not.toContain(secret)
      await tollgate(['run', scriptedGoal({ text: 'Done.' })], env)
      const task = await query('crypto_get_market_data', { perPage: 1 })
      const failing = await query('crypto_get_prices', { coinIds: ['sandbox-500'] })
      for (const [type, data] of [
        ['agent.completed', { status: 'completed', result: 'Done.' }],
        ['task.completed', { taskId: task.taskId, tool: 'crypto_get_market_data', creditsCharged: 5 }],
        ['task.failed', { taskId: failing.taskId, status: 'failed' }],
      ] as const) {
        const got = await pollUntil(type, async () => eventOf(type) ?? null)
        const event = new Webhook(secret).verify(got.body, got.headers)
        expect(event).toMatchObject({ type, data })
        expect(WebhookEvent.parse(event)).toEqual(event)
      }
      expect(receiver.received('/listen')).toHaveLength(3)
    } finally {
      child.kill()
    }
  })

  /** Begins calls in the background, as a program without the client does. */
  const caller = (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'respond-async' }
    const query = async (tool: string, params: object) => {
      const answer = await fetch(`${url}/api/v1/query`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ tool, params }),
      })
      const { taskId } = (await answer.json()) as { taskId: string }
      const read = async () =>
        (await (await fetch(`${url}/api/v1/tasks/${taskId}`, { headers })).json()) as { status: string }
      return { taskId, read }
    }
    return { query }
  }
})
