import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '../../server/cli/kit/ports'
import { CliError, PROJECT_ROOT } from '../../server/cli/kit/project'
import { hostEnv } from '../../server/cli/setup/root.mjs'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import type { ChatServer } from './chat-setup'
import { startOtherProcess } from './other-process'

const VERSION = '1.15.2'
/** Beside the project's own packages: whoever does not compare does not install it. */
const FOLDER = path.join(PROJECT_ROOT, '.data', 'peers', 'node_modules', '@portkey-ai', 'gateway')
/**
 * With a later version of that server every stream of the gateway fails
 * (https://github.com/Portkey-AI/gateway/issues/1389).
 */
const SERVER_PACKAGE = '@hono/node-server@1.13.8'
const INSTALL = `npm install --prefix .data/peers --legacy-peer-deps --ignore-scripts @portkey-ai/gateway@${VERSION} ${SERVER_PACKAGE}`

/** Whether the gateway that we compare with is installed, in the version that is pinned. */
export function hasPortkey(): boolean {
  const file = path.join(FOLDER, 'package.json')
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === VERSION
}

/** Throws a CliError with the command that installs it, unless it is. */
export function requirePortkey(): void {
  if (!hasPortkey()) throw new CliError(`Portkey's gateway ${VERSION} is not installed. This installs it:\n${INSTALL}`)
}

/** The Node of this machine where it has another major version than ours, else null. */
export function otherNode(): { file: string; version: string } | null {
  const print = 'console.log(JSON.stringify({ file: process.execPath, version: process.version }))'
  const asked = spawnSync('node', ['-e', print], { env: hostEnv(), encoding: 'utf8' })
  if (asked.status !== 0) return null
  const found = JSON.parse(asked.stdout) as { file: string; version: string }
  return found.version.split('.')[0] === process.version.split('.')[0] ? null : found
}

/** Starts the gateway before an upstream, as in production, on our Node or on another. */
export async function startPortkey(upstreamUrl: string, node?: { file: string; version: string }): Promise<ChatServer> {
  const port = await findFreePort(4_950)
  const url = `http://127.0.0.1:${port}`
  const script = path.join(FOLDER, 'build', 'start-server.js')
  const { pid, end } = startOtherProcess([script, `--port=${port}`, '--headless'], node?.file)
  const stop = async () => end()
  try {
    await waitUntilServerReady(`${url}/`)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    name: `Portkey ${VERSION}, unbilled, Node ${(node?.version ?? process.version).split('.')[0]?.slice(1)}`,
    pid,
    url: `${url}/v1/chat/completions`,
    key: 'none',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl },
    stop,
  }
}
