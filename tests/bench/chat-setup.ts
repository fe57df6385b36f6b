import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { writeCertificate } from '../support/certificate'
import { makeCaller } from '../support/owners'
import type { ChatSubject } from './chat-client'
import { writeMockModels } from './mock-model'
import { startOtherProcess } from './other-process'

/** A process that answers completions, until `stop`. */
export type ChatServer = ChatSubject & { stop: () => Promise<void> }

/** The mock upstream, and what starts our server before it, as often as wanted. */
type ChatSetup = {
  upstreamUrl: string
  direct: ChatSubject
  startOurs: (name?: string, settings?: Record<string, string>) => Promise<ChatServer>
  stop: () => Promise<void>
}

/** A key without limits that may complete. */
async function makeChatKey(): Promise<string> {
  const { owner, key } = await makeCaller(1_000_000_000, { llm: true })
  await grantCredits(owner.id, 1_000_000_000n)
  // Beyond what a key may be given: the limit must not be what is measured.
  await mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
  return key.key
}

/** Starts the mock upstream, `withTls` as an HTTP/2 server. */
export async function startChatSetup({ withTls = false } = {}): Promise<ChatSetup> {
  const port = await findFreePort(4_800)
  const upstreamUrl = `${withTls ? 'https' : 'http'}://127.0.0.1:${port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const MODELS_FILE = writeMockModels(folder, upstreamUrl)
  const key = await makeChatKey()
  const tls = withTls ? await writeCertificate(folder) : null
  const upstream = startOtherProcess([
    'tests/bench/chat-upstream.mjs',
    String(port),
    ...(tls ? [tls.certificate, tls.key] : []),
  ])
  const direct = { name: 'the upstream itself', pid: upstream.pid, url: `${upstreamUrl}/chat/completions` }

  async function startOurs(name = 'billed, through our server (npm start)', settings = {}): Promise<ChatServer> {
    const webPort = await findFreePort(3_800)
    const base = `http://127.0.0.1:${webPort}`
    const trusted = tls && { NODE_EXTRA_CA_CERTS: tls.certificate }
    const own = { PORT: String(webPort), PUBLIC_URL: base, MODELS_FILE, LOG_LEVEL: 'info' }
    const env = { ...process.env, ...own, ...trusted, ...settings }
    const web = startChildProcess('web', env, { logName: 'bench-chat-web' })
    const stop = () => endProcesses([web.process], 5_000)
    try {
      await waitUntilServerReady(`${base}/readyz`)
    } catch (error) {
      await stop()
      throw error
    }
    const url = `${base}/api/v1/chat/completions`
    return { name, pid: web.process.pid, url, key, stop }
  }

  const stop = async () => {
    upstream.end()
    rmSync(folder, { recursive: true })
  }
  return { upstreamUrl, direct, startOurs, stop }
}
