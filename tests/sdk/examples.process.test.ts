import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { readGuideBlocks } from '../../server/guides/blocks'
import { fillPlaceholders } from '../../server/guides/placeholders'
import { findGuideFile } from '../../server/guides/read'
import { scriptedGoal } from '../support/agent'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeManagementKey } from '../support/management'
import { makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { takePort } from '../support/ports'
import { SOURCE_ROOT } from '../support/source-imports'
import { withWorker } from '../support/worker'
import { buildSdk, runToEndOf } from './build'

withSandbox()
withWorker()

let folder: string
let programs: string
let url: string
beforeAll(async () => {
  folder = await buildSdk()
  url = (await sharedListener()).url
  programs = path.join(folder, 'examples')
  cpSync(path.join(SOURCE_ROOT, 'docs/examples'), programs, { recursive: true })
  mkdirSync(path.join(programs, 'node_modules'))
  symlinkSync(path.join(folder, 'sdk/typescript'), path.join(programs, 'node_modules/tollgate-client'))
  writeFileSync(path.join(programs, 'package.json'), JSON.stringify({ type: 'module' }))
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true }))

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0

const newKey = () => makeChatter(1_000_000, { agent: true })
const program = (file: string) => path.join(programs, file)

it('those in TypeScript compile, strictly', async () => {
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, types: ['node'] }
  const files = ['competitor-monitor.ts', 'chat-bot.ts', 'property-report.ts']
  writeFileSync(program('tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const tsc = path.join(SOURCE_ROOT, 'node_modules/typescript/bin/tsc')
  expect((await runToEndOf(process.execPath, [tsc, '--checkers', '1', '-p', programs])).output).toBe('')
})

describe('the guide of the clients', () => {
  const examples = async () => {
    const guide = await findGuideFile('typed-clients')
    Object.assign(env(), { PUBLIC_URL: url })
    const blocks = readGuideBlocks(fillPlaceholders(guide?.body ?? ''))
    return blocks.flatMap((block) => (block.kind === 'code' ? block.examples : []))
  }
  const codeOf = async (language: string) =>
    (await examples()).filter((example) => example.language === language).map(({ code }) => code)

  it('has programs that run as they are', async () => {
    const { owner, key } = await newKey()
    const given = { TOLLGATE_KEY: key.key, PYTHONPATH: path.join(folder, 'sdk/python'), PYTHONDONTWRITEBYTECODE: '1' }
    const runners = {
      ts: [process.execPath, '--input-type=module-typescript', '-'],
      ...(hasPython && { py: ['python3', '-'] }),
    }
    for (const [language, [command = '', ...args]] of Object.entries(runners)) {
      const [call = '', run = ''] = await codeOf(language)
      const called = await runToEndOf(command, args, { env: given, cwd: programs, input: call })
      expect(called, called.errors).toMatchObject({
        exitCode: 0,
        output: expect.stringMatching(/^104250(\.0)? 3\nnot_found /),
      })
      const ran = await runToEndOf(command, args, { env: given, cwd: programs, input: run })
      expect(ran, ran.errors).toMatchObject({
        exitCode: 0,
        output: expect.stringMatching(/^completed \S.*\n[\s\S]*\d\n$/),
      })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0 })
  })

  it('has commands that run as they are', async () => {
    const { key } = await newKey()
    const bin = path.join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(
      path.join(bin, 'tollgate'),
      `#!/bin/sh\nexec "${process.execPath}" "${folder}/sdk/typescript/dist/cli.js" "$@"\n`,
      { mode: 0o755 },
    )
    const [commands = ''] = (await codeOf('sh')).filter((code) => code.includes('tollgate login'))
    const given = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, TOLLGATE_KEY: key.key }
    const ran = await runToEndOf('bash', ['-euc', commands], { env: given })
    expect(ran, ran.errors).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^Logged in with/) })
    expect(ran.output).toMatch(/"credits_charged": 3/)
  })
})

describe('price-alert.sh', () => {
  const alert = (key: string, ...args: string[]) =>
    runToEndOf('bash', [program('price-alert.sh'), ...args], { env: { TOLLGATE_KEY: key, TOLLGATE_URL: url } })

  it('says when a price is above the limit, and nothing when it is not', async () => {
    const { owner, key } = await newKey()
    const high = await alert(key.key, 'bitcoin', '100000')
    expect(high).toMatchObject({ exitCode: 0, output: 'bitcoin costs 104250 USD, more than 100000\n' })
    expect(await alert(key.key, 'bitcoin', '200000')).toMatchObject({ exitCode: 0, output: '' })
    // Two runs of one minute are one call; of two minutes, two.
    expect([3, 6]).toContain((await readOwnerMoney(owner)).charged)
  })

  it('fails with the reason for a coin that does not exist, and without credits', async () => {
    const { owner, key } = await newKey()
    expect(await alert(key.key, 'no-such-coin', '1')).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/no price/),
    })
    const poor = await makeKey(owner, { budget: 1 })
    expect(await alert(poor.key, 'bitcoin', '1')).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringMatching(/^No price \(402\)/),
    })
  })
})

it('competitor-monitor.ts makes one schedule, and prints the end of each run from its signed webhook', async () => {
  const { key } = await newKey()
  const port = await takePort()
  const start = () => {
    const env = { PATH: String(process.env.PATH), TOLLGATE_KEY: key.key, TOLLGATE_URL: url, PORT: String(port) }
    const args = [program('competitor-monitor.ts'), 'Acme Tolls', 'RoadPay']
    const child = spawn(process.execPath, args, { env: { ...env, NODE_ENV: 'production' } })
    const lines: string[] = []
    let errors = ''
    child.stdout.on('data', (data) => lines.push(...String(data).split('\n').filter(Boolean)))
    child.stderr.on('data', (data) => {
      errors += data
    })
    const line = (at: number) =>
      pollUntil('a line', async () => {
        if (child.exitCode !== null) throw new Error(errors)
        return lines[at] ?? null
      })
    return { line, stop: () => child.kill(), ended: () => child.exitCode }
  }
  const first = start()
  try {
    const { scheduleId } = JSON.parse(await first.line(0))
    expect(JSON.parse(await first.line(1))).toMatchObject({
      scheduleId,
      status: 'completed',
      creditsSpent: expect.any(Number),
      result: expect.stringMatching(/\S/),
    })
    const forged = await fetch(`http://localhost:${port}/hook`, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(400)
    first.stop()
    await pollUntil(
      'the end',
      async () =>
        first.ended() !== null ||
        (await fetch(`http://localhost:${port}`).then(
          () => false,
          () => true,
        )),
    )
    const second = start()
    try {
      expect(JSON.parse(await second.line(0))).toMatchObject({ scheduleId })
    } finally {
      second.stop()
    }
  } finally {
    first.stop()
  }
})

it.runIf(hasPython)('rag.py answers from the pages that it could read', async () => {
  const { owner, key } = await newKey()
  const env = {
    PYTHONPATH: path.join(folder, 'sdk/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    TOLLGATE_KEY: key.key,
    TOLLGATE_URL: url,
  }
  const pages = await sitePages(key.key)
  const ran = await runToEndOf(
    'python3',
    ['-W', 'error', program('rag.py'), 'What is new?', ...pages, 'http://nowhere.invalid'],
    { env },
  )
  expect(ran.exitCode, ran.errors).toBe(0)
  expect(ran.output).toMatch(/\[1\] http/)
  expect(ran.errors).toMatch(/nowhere.invalid: not_found\n\d+ credits for the answer/)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0 })
})

/** Two pages of the simulated web. */
async function sitePages(key: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'web_search', params: { query: 'toll roads in the alps' } }),
  })
  const { rows } = (await answer.json()) as { rows: { url: string }[] }
  return rows.slice(0, 2).map((row) => row.url)
}

describe('property-report.ts', () => {
  /** A key that names customers, and a management key, of a new account. */
  async function newAccount() {
    const { owner } = await newKey()
    const grants = { tags: ['reports'], namesCustomers: true, agent: true, llm: true, allowedModels: [CHAT_MODEL] }
    return { owner, key: (await makeKey(owner, grants)).key, manage: (await makeManagementKey(owner)).key }
  }
  type Report = { key: string; manage: string; args: string[]; env?: Record<string, string>; input?: string }
  const report = async ({ key, manage, args, env, input }: Report) =>
    runToEndOf(process.execPath, [program('property-report.ts'), ...args], {
      env: {
        ...{ TOLLGATE_KEY: key, TOLLGATE_MANAGEMENT_KEY: manage, TOLLGATE_URL: url },
        ...{ PORT: String(await takePort()), MODEL: CHAT_MODEL, ...env },
      },
      input,
    })

  it('searches in the background, summarizes, lets an agent ask, and adds up what the customer spent', async () => {
    const { owner, ...keys } = await newAccount()
    const ask = { name: 'ask_user', arguments: { question: 'To live in, or to let?' } }
    const goal = scriptedGoal({ turns: [{ toolCalls: [ask] }, { text: 'Then look at the lifts.' }] })
    const ran = await report({
      ...keys,
      args: ['acme', 'Valencia', 'Xyzzyville'],
      env: { GOAL: goal },
      input: 'To live.\n',
    })
    expect(ran, ran.errors).toMatchObject({ exitCode: 0, errors: 'Xyzzyville: no such place\n' })
    expect(ran.output).toMatch(/^# \S.*\n## \S[\s\S]*\nValencia: 20 homes, from \d+ EUR\n\? To live in, or to let\?\n/)
    expect(ran.output).toMatch(/\nThen look at the lifts\.\nacme has spent \d+ credits so far\n$/)
    const { charged } = await readOwnerMoney(owner)
    expect(ran.output).toContain(`acme has spent ${charged} credits`)
  })

  it('stops at the budget of a customer, says so, and leaves other customers theirs', async () => {
    const { owner, ...keys } = await newAccount()
    const env = { CREDITS_A_WEEK: '280', GOAL: scriptedGoal({ text: 'Nothing.' }) }
    const first = await report({ ...keys, args: ['acme', 'Valencia'], env })
    expect(first).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^No report for acme: .*each customer a week/),
    })
    expect(first.output).toMatch(/acme has spent 2[78]\d credits so far\n$/)
    const second = await report({ ...keys, args: ['olbia', 'Valencia'], env })
    expect(second.output).toMatch(/Valencia: 20 homes/)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0 })
  })
})

describe('chat-bot.ts', () => {
  const bot = (key: string, input: string) =>
    runToEndOf(process.execPath, [program('chat-bot.ts')], { env: { TOLLGATE_KEY: key, TOLLGATE_URL: url }, input })

  it('shows what the agent asks, answers it, and goes on with the conversation', async () => {
    const { key } = await newKey()
    const ask = { name: 'ask_user', arguments: { question: 'Which city?' } }
    const goal = scriptedGoal({ turns: [{ toolCalls: [ask] }, { text: 'Noted.' }] })
    const ran = await bot(key.key, `${goal}\nOlbia\n${scriptedGoal({ text: 'And again.' })}\n`)
    expect(ran).toMatchObject({ exitCode: 0, output: '? Which city?\nNoted.\nAnd again.\n', errors: '' })
  })

  it('says why it cannot go on', async () => {
    const { owner } = await newKey()
    const { key } = await makeKey(owner, { agent: true, llm: true, budget: 5, allowedModels: [CHAT_MODEL] })
    expect((await bot(key, 'Hello\n')).output).toMatch(/^I cannot go on: /)
  })
})
