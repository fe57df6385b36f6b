import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { env, readEnv } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'
import { startSandboxServer } from '../../server/sandbox/start'
import { callQuery, send, withSandbox } from './api'
import { CHAT_PATH } from './chat'
import { readOwnerMoney } from './ledger'
import { makeCaller } from './owners'

/** The model that stands for a real one. */
const REAL_MODEL = 'acme/real'

type Lists = { UPSTREAMS: string; LIVE_PROVIDERS?: string; SANDBOX_PROVIDERS?: string }
type Call = { charged: number; atSandbox: string[]; atReal: string[] }

/**
 * A service with some providers simulated and others real. A second sandbox server is the real
 * ones: what matters is which of the two gets a call. Settings are read once per process, so a file
 * has one mix.
 */
export function withMix(lists: Lists) {
  const sandbox = withSandbox()
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-mix-'))
  let real: Awaited<ReturnType<typeof startSandboxServer>>

  beforeAll(async () => {
    real = await startSandboxServer({ port: 0 })
    const [chat] = sandboxModels(`${real.url}/llm/v1`)
    const MODELS_FILE = path.join(folder, 'models.json')
    writeFileSync(MODELS_FILE, JSON.stringify([{ ...chat, id: REAL_MODEL }]))
    Object.assign(process.env, {
      COINGECKO_BASE_URL: `${real.url}/coingecko/api/v3`,
      SEARXNG_URL: `${real.url}/searxng`,
      YOUTUBE_BASE_URL: `${real.url}/youtube`,
    })
    const kept = { PORT: env().PORT, DATABASE_URL: env().DATABASE_URL, SANDBOX_URL: env().SANDBOX_URL }
    const mixed = readEnv({ ...process.env, ...lists, MODELS_FILE, UPSTREAMS: lists.UPSTREAMS })
    Object.assign(env(), mixed, kept)
  })
  afterAll(async () => {
    await real.stop()
    rmSync(folder, { recursive: true })
  })

  const pathsAt = async (url: string) =>
    Object.keys(((await (await fetch(`${url}/__calls`)).json()) as { byPath: object }).byPath)

  /** Makes a billed call; what it cost by the ledger, and which paths of each server it called. */
  async function billed(call: (key: string) => ReturnType<typeof send>): Promise<Call> {
    await Promise.all([sandbox.url(), real.url].map((url) => fetch(`${url}/__reset`, { method: 'POST' })))
    const { owner, key } = await makeCaller(1_000, { llm: true })
    const answer = await call(key.key)
    expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: expect.any(Number) } } })
    const { charged, held, receipts } = await readOwnerMoney(owner)
    expect({ charged, held, receipts }).toEqual({
      charged: (answer.body.service as { credits_charged: number }).credits_charged,
      held: 0,
      receipts: 1,
    })
    return { charged, atSandbox: await pathsAt(sandbox.url()), atReal: await pathsAt(real.url) }
  }

  return {
    query: (tool: string, params: object) => billed((key) => callQuery(key, tool, params)),
    chat: async () => {
      const { llm } = (await send('/api/v1/catalog')).body as { llm: { models: { id: string }[] } }
      const model = llm.models[0]?.id
      const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
      return { model, ...(await billed((key) => send(CHAT_PATH, { key, body }))) }
    },
    catalog: async () =>
      (await send('/api/v1/catalog')).body as {
        mode: string
        tools: { id: string; simulated: boolean }[]
        llm: { models: { id: string; simulated: boolean }[] }
      },
    notice: async () => /^(?:Mixed|Sandbox): .*$/m.exec((await send('/api/v1/catalog?format=md')).text)?.[0],
  }
}
