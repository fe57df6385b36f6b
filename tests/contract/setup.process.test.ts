// npm run setup as the process it starts, without a terminal, on this test's database.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { getBalance } from '../../server/credits/balance'
import { prisma } from '../../server/db'
import { withSandbox } from '../support/api'

const sandbox = withSandbox()
const dir = mkdtempSync(path.join(tmpdir(), 'tollgate-setup-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** Runs one of the operator's commands with nothing but the folder of the settings. */
async function admin(...words: string[]): Promise<{ code: number | null; output: string }> {
  const run = path.join(PROJECT_ROOT, 'server', 'cli', 'run.mjs')
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: process.env.NODE_ENV,
    CONFIG_DIR: dir,
    DATA_DIR: path.join(dir, 'data'),
  }
  const child = spawn(process.execPath, [run, 'admin', ...words], { cwd: tmpdir(), env })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: out + errors }
}

async function setup(...options: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const entry = path.join(PROJECT_ROOT, 'server', 'cli', 'setup-run.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', entry, '--dir', dir, ...options], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, SETUP_PASSWORD: 'correct horse battery' },
  })
  child.stdin.end()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

const all = () => [
  ...['--provider', `${sandbox.url()}/llm/v1`],
  ...['--search', `${sandbox.url()}/searxng`],
  ...['--database', process.env.DATABASE_URL ?? '', '--email', 'first@example.com', '--credits', '5000'],
  ...['--simulate', 'reddit,x'],
]

it.each([
  [[], '--provider is missing'],
  [['--provider', 'nobody'], '--provider must be one of openai, '],
  [['--provider', 'openai'], '--key is missing'],
  [
    ['--provider', 'http://127.0.0.1:1/v1', '--email', 'a@example.com'],
    'http://127.0.0.1:1/v1/models cannot be reached.',
  ],
  [['--provider', 'vllm', '--search', 'altavista'], '--search must be brave, none, or'],
  [['--provider', 'vllm', '--email', 'a@example.com', '--credits', '0'], '--credits must be a whole number above 0.'],
  [['--simulate', 'reddit,redit'], 'SANDBOX_PROVIDERS has the unknown name redit'],
  [['--colour', 'blue'], 'Unknown option'],
])('stops at %j, says why, and writes nothing', async (options, why) => {
  const { code, stderr } = await setup(...options)
  expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
  expect([existsSync(path.join(dir, 'env')), existsSync(path.join(dir, 'models.json'))]).toEqual([false, false])
})

it('writes the settings and the models, makes the admin, and calls the providers; again it changes nothing', async () => {
  const first = await setup(...all())
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('web_search') })
  const settings = parseEnv(readFileSync(path.join(dir, 'env'), 'utf8'))
  expect(settings).toMatchObject({
    UPSTREAMS: 'live',
    SANDBOX_PROVIDERS: 'reddit,x',
    SEARXNG_URL: `${sandbox.url()}/searxng`,
  })
  expect(statSync(path.join(dir, 'env')).mode & 0o777).toBe(0o600)
  const models = JSON.parse(readFileSync(String(settings.MODELS_FILE), 'utf8')) as { id: string }[]
  expect(models.map(({ id }) => id)).toContain('northwind/gale-4')
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: 'first@example.com' } })
  expect([owner.isAdmin, await getBalance(owner.id)]).toEqual([true, { available: 5_000, held: 0 }])

  expect(await setup(...all())).toMatchObject({ code: 0, stdout: expect.stringContaining('exists already') })
  expect(parseEnv(readFileSync(path.join(dir, 'env'), 'utf8'))).toEqual(settings)
  expect(await getBalance(owner.id)).toEqual({ available: 5_000, held: 0 })
})

it('leaves a folder that is all the service needs, wherever it is installed and started', async () => {
  expect(await admin('models', 'check', '--id', 'northwind/gale-4')).toMatchObject({
    code: 0,
    output: expect.stringContaining('✓ northwind/gale-4'),
  })
  const file = path.join(dir, 'env')
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, whole.replace(/^MODELS_FILE=.*\n/m, ''))
  expect(await admin('models', 'check', '--id', 'northwind/gale-4')).toMatchObject({ code: 0 })
  writeFileSync(file, whole)
})

it('keeps the key of a server of your own', async () => {
  expect(await setup(...all(), '--key', 'local-secret')).toMatchObject({ code: 0 })
  expect(parseEnv(readFileSync(path.join(dir, 'env'), 'utf8'))).toMatchObject({ LOCAL_API_KEY: 'local-secret' })
  const models = JSON.parse(readFileSync(path.join(dir, 'models.json'), 'utf8')) as { upstreams: object[] }[]
  expect(models.flatMap(({ upstreams }) => upstreams)[0]).toMatchObject({ apiKeyEnv: 'LOCAL_API_KEY' })
})
