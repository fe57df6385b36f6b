import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { scriptedText } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'
import { installClient } from './install'
import { sumOfReceipts } from './receipts'
import { makeClientFolders, type ProgramRun, runClient } from './run-client'

// Codex knows the second part of these, and then offers tools that it does not offer to others.
const KNOWN = { 'chat/gpt-5.5': 'chat', 'responses/gpt-5.5': 'responses' } as const
const LONG = 'All work and no play makes for a dull afternoon. '.repeat(10).trim()

withWireModels(['responses'], KNOWN)
withSandbox()

let codex: string
let folders: ReturnType<typeof makeClientFolders>
beforeAll(async () => {
  codex = await installClient({ name: '@openai/codex', version: '0.169.0', bin: 'codex' })
})
beforeEach(() => {
  folders = makeClientFolders()
})
afterEach(() => folders.remove())

/** Codex as people set it up: a provider with our base URL and the name of the key's variable. */
async function runCodex(key: string, model: string, prompt: string): Promise<ProgramRun> {
  const { url } = await sharedListener()
  const config = `
model = "${model}"
model_provider = "tollgate"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${url}/api/v1"
wire_api = "responses"
env_key = "TOLLGATE_API_KEY"
`
  writeFileSync(path.join(folders.home, 'config.toml'), config)
  const env = { CODEX_HOME: folders.home, TOLLGATE_API_KEY: key }
  return runClient(codex, ['exec', '--skip-git-repo-check', '--json', prompt], { ...folders, env })
}

type CodexEvent = { type: string; item?: Record<string, unknown>; usage?: Record<string, number>; message?: string }

const eventsIn = ({ stdout }: ProgramRun): CodexEvent[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const itemsIn = (run: ProgramRun, type: string) =>
  eventsIn(run).flatMap(({ type: event, item }) => (event === 'item.completed' && item?.type === type ? [item] : []))

describe.each([
  ['a chat upstream', CHAT_MODEL, 'chat/gpt-5.5'],
  ['an upstream of its own wire', modelOf('responses'), 'responses/gpt-5.5'],
])('Codex with %s', (_name, model, known) => {
  it('runs a command, answers, and its usage is what the ledger was charged for', async () => {
    const { owner, key } = await makeChatter()
    const command = { cmd: 'echo from-codex > made.txt && cat made.txt' }
    const prompt = scriptedText({
      turns: [
        { text: 'I make the file.', toolCalls: [{ name: 'exec_command', arguments: command }] },
        { text: 'The file is made.' },
      ],
    })
    const run = await runCodex(key.key, model, prompt)
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(path.join(folders.work, 'made.txt'), 'utf8')).toBe('from-codex\n')
    expect(itemsIn(run, 'command_execution')).toMatchObject([{ exit_code: 0, aggregated_output: 'from-codex\n' }])
    expect(itemsIn(run, 'agent_message').at(-1)).toMatchObject({ text: 'The file is made.' })

    const { usage } = eventsIn(run).find(({ type }) => type === 'turn.completed') ?? {}
    const { calls, inputTokens, outputTokens, charged } = await sumOfReceipts(owner)
    expect(calls).toBe(2)
    expect(usage).toMatchObject({ input_tokens: inputTokens, output_tokens: outputTokens })
    expect(charged).toBeGreaterThan(10)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
  })

  it('edits a file with its own tool, which takes a text in a grammar', async () => {
    const { key } = await makeChatter()
    const input = '*** Begin Patch\n*** Add File: patched.txt\n+by patch\n*** End Patch\n'
    const turns = [{ toolCalls: [{ name: 'apply_patch', arguments: { input } }] }, { text: 'Patched.' }]
    const run = await runCodex(key.key, known, scriptedText({ turns }))
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(path.join(folders.work, 'patched.txt'), 'utf8')).toBe('by patch\n')
    expect(itemsIn(run, 'agent_message').at(-1)).toMatchObject({ text: 'Patched.' })
    // It also offers a search that would run at the provider.
    expect(JSON.stringify((await sandboxUpstream.last()).body.tools)).not.toContain('web_search')
  })
})

describe('402', () => {
  it('of a key without budget is shown by Codex as we say it, and it gives up', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 1 })
    const run = await runCodex(key.key, CHAT_MODEL, scriptedText({ text: 'Never said.' }))
    expect(run.code).toBe(1)
    const said = eventsIn(run).flatMap(({ type, message }) => (type === 'error' ? [message ?? ''] : []))
    expect(said.at(-1)).toMatch(/402 Payment Required: .*budget/)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 0 })
  })

  it('in the middle of its work stops it, and nothing is overspent', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 500 })
    const call = { name: 'exec_command', arguments: { cmd: 'echo again' } }
    const turns = Array.from({ length: 50 }, () => ({ text: LONG, toolCalls: [call] }))
    const run = await runCodex(key.key, CHAT_MODEL, scriptedText({ turns }))
    expect(run.code).toBe(1)
    expect(itemsIn(run, 'command_execution').length).toBeGreaterThan(0)
    const said = eventsIn(run).flatMap(({ type, message }) => (type === 'error' ? [message ?? ''] : []))
    expect(said.at(-1)).toMatch(/402 Payment Required/)
    const { charged, held } = await readOwnerMoney(owner)
    expect(held).toBe(0)
    expect(charged).toBe((await sumOfReceipts(owner)).charged)
    expect(charged).toBeLessThanOrEqual(500)
  })
})
