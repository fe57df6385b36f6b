import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { AppError } from '../../server/errors'
import { findHostedFile } from '../../server/files/read'
import { uuidv7 } from '../../server/kit/id'
import { startSandboxServer } from '../../server/sandbox/start'
import type { AnyTool } from '../../server/tools/define'
import { callTool } from './call-tool'
import { makeCaller } from './owners'

/** Credits of a cost: a thousand of them are a dollar, and the markup is half as much again. */
const CREDITS_PER_USD = 1_000
const MARKUP = 1.5
export const creditsForMedia = (usd: number): number => Math.ceil(Number((usd * CREDITS_PER_USD * MARKUP).toFixed(6)))

/** What became of a billed call: its result or its error, and what it cost. */
type MediaCall = { code: string; message: string; charged: number | null; result: Record<string, unknown> }

type Bench = {
  url: () => string
  /** Calls a tool as one who has so many credits. */
  call: (tool: AnyTool, params: unknown, credits?: number) => Promise<MediaCall>
  /** How many jobs of the sandbox were cancelled so far. */
  cancelled: () => Promise<number>
}

/** A storage folder and a sandbox for a test file; the ledger must agree at its end. */
export function withMedia(): Bench {
  let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
  let folder: string
  beforeAll(async () => {
    sandbox = await startSandboxServer({ port: 0 })
    folder = await mkdtemp(path.join(tmpdir(), 'tollgate-media-'))
    vi.stubEnv('UPSTREAMS', 'sandbox')
    vi.stubEnv('SANDBOX_URL', sandbox.url)
    vi.stubEnv('STORAGE_URL', `file:${folder}`)
    vi.stubEnv('PUBLIC_URL', 'https://gateway.example')
    vi.stubEnv('CREDITS_PER_USD', String(CREDITS_PER_USD))
    vi.stubEnv('MARKUP', String(MARKUP))
  })
  afterAll(async () => {
    expect(await findLedgerDifferences()).toEqual([])
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })
  return {
    url: () => sandbox.url,
    cancelled: async () => {
      const res = await fetch(`${sandbox.url}/media/__cancelled`)
      return ((await res.json()) as { count: number }).count
    },
    call: async (tool, params, credits = 100_000) => {
      const { owner, key } = await makeCaller(credits)
      const payer = { ownerId: owner.id, keyId: key.id }
      try {
        const ran = await callTool({ tool, params, payer, granted: true, id: uuidv7(), channel: 'rest' })
        if (ran.kind !== 'ran') throw new Error('nothing was to be replayed')
        return { code: 'ok', message: '', charged: ran.charged, result: ran.result }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { code, message, charge } = error
        return { code, message, charged: charge ? charge.credits : null, result: {} }
      }
    },
  }
}

/** The bytes of a hosted file, by its URL. */
export async function hostedBytes(url: unknown): Promise<Buffer> {
  const file = await findHostedFile(new URL(String(url)).pathname.split('/').at(-1) ?? '')
  return Buffer.from(await new Response(await file?.open()).arrayBuffer())
}
