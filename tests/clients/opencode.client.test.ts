import { readFileSync, writeFileSync } from 'node:fs'
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

let opencode: string
let folders: ReturnType<typeof makeClientFolders>
beforeAll(async () => {
  opencode = await installClient({ name: 'opencode-ai', version: '1.18.33', bin: 'opencode' })
}, 300_000)
beforeEach(() => {
  folders = makeClientFolders()
})
afterEach(() => folders.remove())

/**
 * opencode with the configuration of the Connect page in the project. It puts quotes around each
 * argument with a space in it, so the prompt is passed word by word.
 */
async function runOpencode(key: string, prompt: string): Promise<ProgramRun> {
  writeFileSync(path.join(folders.work, 'opencode.json'), await recipeCode('opencode', 'models'))
  const env = { TOLLGATE_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }
  const args = ['run', '--auto', '--title', 'Test', '--format', 'json', ...prompt.split(' ')]
  return runClient(opencode, args, { ...folders, env })
}

type OpencodeEvent = { type: string; part?: { text?: string; tool?: string }; error?: unknown }

const eventsIn = ({ stdout }: ProgramRun): OpencodeEvent[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

describe('opencode', () => {
  it('runs a command, answers, and is charged for both calls', async () => {
    const { owner, key } = await makeChatter()
    const command = { command: 'echo from-opencode > made.txt', description: 'Makes a file' }
    const turns = [{ text: 'I make the file.', toolCalls: [{ name: 'bash', arguments: command }] }, { text: 'Made.' }]
    const run = await runOpencode(key.key, scriptedText({ turns }))
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(path.join(folders.work, 'made.txt'), 'utf8')).toBe('from-opencode\n')
    const texts = eventsIn(run).flatMap(({ type, part }) => (type === 'text' ? [part?.text] : []))
    expect(texts.at(-1)).toBe('Made.')
    const { calls, charged } = await sumOfReceipts(owner)
    expect(calls).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
  })

  it('shows what a key without budget is refused with', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 1 })
    const run = await runOpencode(key.key, scriptedText({ text: 'Never said.' }))
    expect(JSON.stringify(eventsIn(run).filter(({ type }) => type === 'error'))).toMatch(/budget/)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 0 })
  })
})
