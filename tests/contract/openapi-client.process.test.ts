import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { generateSource } from 'oazapfts'
import { afterAll, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { SOURCE_ROOT } from '../support/source-imports'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

/** What is generated finds its packages through a link. */
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-client-'))
symlinkSync(path.join(SOURCE_ROOT, 'node_modules'), path.join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * What somebody would write with the generated client. Each line needs the types of the document to
 * be what they say.
 */
const PROGRAM = `
import * as api from './client.js'

export async function run(baseUrl: string, key: string, model: string) {
  api.defaults.baseUrl = baseUrl
  api.defaults.headers = { authorization: 'Bearer ' + key }

  const query = await api.query({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
  if (query.status !== 200) throw new Error('query ' + query.status)
  const queryCredits: number = query.data.service.credits_charged

  const chat = await api.chatCompletion({ model, messages: [{ role: 'user', content: 'Hello' }] })
  if (chat.status !== 200) throw new Error('chat ' + chat.status)
  const chatCredits: number = chat.data.service.credits_charged

  const started = await api.startAgentRun({ goal: 'Say hello.', idempotencyKey: 'client-1' })
  if (started.status !== 202) throw new Error('agent ' + started.status)
  const { jobId } = started.data
  let job: api.AgentJob
  do {
    const polled = await api.getAgentJob(jobId)
    if (polled.status !== 200) throw new Error('poll ' + polled.status)
    job = polled.data
  } while (job.status === 'running')

  const usage = await api.listUsage({ product: 'tool' })
  if (usage.status !== 200) throw new Error('usage ' + usage.status)
  const receipts: api.Receipt[] = usage.data.rows

  const own = await api.getKey()
  if (own.status !== 200) throw new Error('key ' + own.status)

  const models = await api.listModels({})
  if (models.status !== 200) throw new Error('models ' + models.status)

  const refused = await api.query({ tool: 'nope' })
  const code = refused.status === 400 ? refused.data.code : null
  return {
    queryCredits,
    chatCredits,
    jobStatus: job.status,
    jobCredits: job.creditsSpent,
    receipts: receipts.map(({ what, credits }) => [what, credits.charged]),
    rpm: own.data.rpm,
    models: models.data.data.length,
    code,
  }
}
`

it('a client that is generated from the document compiles and runs the main paths', async () => {
  const spec = path.join(folder, 'openapi.json')
  writeFileSync(spec, (await send('/api/v1/openapi.json')).text)
  writeFileSync(path.join(folder, 'client.ts'), await generateSource(spec))
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    outDir: 'out',
    types: [],
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const tsc = path.join(SOURCE_ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  expect(compiled.stdout).toBe('')

  const { owner, key } = await makeCaller(1_000_000, { llm: true, agent: true })
  const { run } = await import(path.join(folder, 'out/program.js'))
  const seen = await run(`${(await sharedListener()).url}/api/v1`, key.key, CHAT_MODEL)
  expect(seen).toMatchObject({
    queryCredits: 3,
    jobStatus: 'completed',
    receipts: [['crypto_get_prices', 3]],
    rpm: 10_000,
    code: 'unknown_tool',
  })
  expect(seen.models).toBeGreaterThan(0)
  const { charged, held } = await readOwnerMoney(owner)
  expect([charged, held]).toEqual([3 + seen.chatCredits + seen.jobCredits, 0])
}, 120_000)
