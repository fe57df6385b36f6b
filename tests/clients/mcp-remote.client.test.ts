import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { env } from '../../server/env'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { MCP_PATH } from '../support/mcp'
import { cookieOf, resetClientCounters } from '../support/oauth'
import { allowInBrowser } from '../support/oauth-client'
import { makeOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { takePort } from '../support/ports'
import { installClient } from './install'
import { clientEnvironment, makeClientFolders } from './run-client'

withSandbox()
beforeEach(resetClientCounters)

const original = { ...env() }
let command: string
let folders: ReturnType<typeof makeClientFolders>
let child: ChildProcess | undefined
beforeAll(async () => {
  command = await installClient({ name: 'mcp-remote', version: '0.15.1', bin: 'mcp-remote' })
  Object.assign(env(), { PUBLIC_URL: (await sharedListener()).url })
  folders = makeClientFolders()
}, 300_000)
afterEach(async () => {
  const ended = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(null))
  if (child?.exitCode === null) child.kill()
  else return
  await ended
})
afterAll(() => {
  Object.assign(env(), original)
  folders.remove()
})

it('mcp-remote registers, sends its user to the consent page, and calls a tool with what it gets', async () => {
  const owner = await makeOwner()
  const cookie = await cookieOf(owner)
  const port = await takePort()
  child = spawn(command, [`${env().PUBLIC_URL}${MCP_PATH}`, String(port), '--host', '127.0.0.1'], {
    cwd: folders.work,
    env: clientEnvironment(folders.home, { MCP_REMOTE_CONFIG_DIR: folders.home }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [said, answered] = ['', '']
  child.stderr?.on('data', (bytes) => {
    said += bytes
  })
  child.stdout?.on('data', (bytes) => {
    answered += bytes
  })
  const send = (message: object) => child?.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answerTo = (id: number) =>
    pollUntil(`an answer to ${id}; it said ${said}`, () =>
      answered
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
        .find((message) => message.id === id),
    )
  const clientInfo = { name: 'program', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  const to = await pollUntil('the address to visit', () => /https?:\/\/\S+\/authorize\?\S+/.exec(said)?.[0])
  const back = await allowInBrowser(new URL(to), cookie)
  const callback = new URL(new URL(to).searchParams.get('redirect_uri') ?? '')
  callback.search = back.toString()
  const ended = child
  await pollUntil('the client takes the code', async () => {
    if (ended.exitCode !== null) throw new Error(`it ended: ${said}`)
    return fetch(callback).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  expect((await answerTo(1)).result).toMatchObject({ serverInfo: { name: 'tollgate' } })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/list' })
  expect((await answerTo(2)).result.tools.length).toBeGreaterThan(20)
  send({ id: 3, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } } })
  const { result } = await answerTo(3)
  expect(result.isError ?? false).toBe(false)
  expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, held: 0 })
})
