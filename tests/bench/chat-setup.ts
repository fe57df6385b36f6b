import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
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
  startOurs: () => Promise<ChatServer>
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

/** Starts the mock upstream. */
export async function startChatSetup(): Promise<ChatSetup> {
  const port = await findFreePort(4_800)
  const upstreamUrl = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const MODELS_FILE = writeMockModels(folder, upstreamUrl)
  const key = await makeChatKey()
  const upstream = startOtherProcess(['tests/bench/chat-upstream.mjs', String(port)])
  const direct = { name: 'the upstream itself', pid: upstream.pid, url: `${upstreamUrl}/chat/completions` }

  async function startOurs(): Promise<ChatServer> {
    const webPort = await findFreePort(3_800)
    const base = `http://127.0.0.1:${webPort}`
    const env = { ...process.env, PORT: String(webPort), PUBLIC_URL: base, MODELS_FILE, LOG_LEVEL: 'info' }
    const web = startChildProcess('web', env, { logName: 'bench-chat-web' })
    const stop = () => endProcesses([web.process], 5_000)
    try {
      await waitUntilServerReady(`${base}/readyz`)
    } catch (error) {
      await stop()
      throw error
    }
    const url = `${base}/api/v1/chat/completions`
    return { name: 'billed, through our server (npm start)', pid: web.process.pid, url, key, stop }
  }

  const stop = async () => {
    upstream.end()
    rmSync(folder, { recursive: true })
  }
  return { upstreamUrl, direct, startOurs, stop }
}
