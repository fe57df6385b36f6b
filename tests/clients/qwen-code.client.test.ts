import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { scriptedText } from '../support/responses'
import { installClient } from './install'
import { sumOfReceipts } from './receipts'
import { makeClientFolders, runClient } from './run-client'

withSandbox()

let qwen: string
let folders: ReturnType<typeof makeClientFolders>
beforeAll(async () => {
  qwen = await installClient({ name: '@qwen-code/qwen-code', version: '0.24.4', bin: 'qwen' })
}, 300_000)
beforeEach(() => {
  folders = makeClientFolders()
})
afterEach(() => folders.remove())

it('qwen-code runs a command, answers, and is charged for its calls', async () => {
  const { owner, key } = await makeChatter()
  const { url } = await sharedListener()
  const command = { command: 'echo from-qwen > made.txt', description: 'Makes a file', is_background: false }
  const turns = [{ toolCalls: [{ name: 'run_shell_command', arguments: command }] }, { text: 'Made.' }]
  const run = await runClient(qwen, ['--yolo', '-p', scriptedText({ turns })], {
    ...folders,
    env: { OPENAI_API_KEY: key.key, OPENAI_BASE_URL: `${url}/api/v1`, OPENAI_MODEL: CHAT_MODEL },
  })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Made.') })
  expect(readFileSync(path.join(folders.work, 'made.txt'), 'utf8')).toBe('from-qwen\n')
  const { calls, charged } = await sumOfReceipts(owner)
  expect(calls).toBeGreaterThanOrEqual(2)
  expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
})
