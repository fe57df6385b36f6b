import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { scriptedText } from '../support/responses'
import { installClient } from './install'
import { sumOfReceipts } from './receipts'
import { recipeCode } from './recipe-code'
import { makeClientFolders, type ProgramRun, runClient } from './run-client'

withSandbox()

let cn: string
let folders: ReturnType<typeof makeClientFolders>
beforeAll(async () => {
  cn = await installClient({ name: '@continuedev/cli', version: '1.5.47', bin: 'cn' })
}, 300_000)
beforeEach(() => {
  folders = makeClientFolders()
})
afterEach(() => folders.remove())

/** Continue's command with the configuration of the Connect page. */
async function runContinue(key: string, prompt: string, config: string): Promise<ProgramRun> {
  const file = path.join(folders.home, '.continue', 'config.yaml')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, config)
  writeFileSync(path.join(folders.home, '.continue', '.env'), `TOLLGATE_KEY=${key}\n`)
  const env = { CONTINUE_TELEMETRY_ENABLED: '0' }
  return runClient(cn, ['--config', file, '--auto', '--print', prompt], { ...folders, env })
}

describe('Continue', () => {
  it('runs a command, answers, and is charged for both calls', async () => {
    const { owner, key } = await makeChatter()
    const toolCalls = [{ name: 'Bash', arguments: { command: 'echo from-continue' } }]
    const prompt = scriptedText({ turns: [{ text: 'I look.', toolCalls }, { text: 'It said {{last}}.' }] })
    const run = await runContinue(key.key, prompt, await recipeCode('continue', 'models'))
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toContain('from-continue')
    const { calls, charged } = await sumOfReceipts(owner)
    expect(calls).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
  })
})
