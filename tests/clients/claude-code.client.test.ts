import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { scriptedText } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'
import { installClient } from './install'
import { sumOfReceipts } from './receipts'
import { makeClientFolders, type ProgramRun, runClient } from './run-client'

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(10).trim()

withWireModels(['messages'])
withSandbox()

let claude: string
let folders: ReturnType<typeof makeClientFolders>
beforeAll(async () => {
  claude = await installClient({ name: '@anthropic-ai/claude-code', version: '2.1.197', bin: 'claude' })
}, 300_000)
beforeEach(() => {
  folders = makeClientFolders()
})
afterEach(() => folders.remove())

/** Claude Code as people set it up: our base URL, a key, and the names of two models. */
async function runClaude(key: string, model: string, prompt: string): Promise<ProgramRun> {
  const { url } = await sharedListener()
  const env = {
    ANTHROPIC_BASE_URL: `${url}/api`,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  const args = ['-p', prompt, '--allowedTools', 'Bash,Read,Write', '--output-format', 'stream-json', '--verbose']
  return runClient(claude, args, { ...folders, env })
}

type Message = { type: string; message?: { content: Record<string, unknown>[] } } & Record<string, unknown>

const messagesIn = ({ stdout }: ProgramRun): Message[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const blocksIn = (run: ProgramRun, type: string) =>
  messagesIn(run).flatMap(({ message }) => (message?.content ?? []).filter((block) => block.type === type))

const resultOf = (run: ProgramRun) => messagesIn(run).find(({ type }) => type === 'result') ?? { type: 'none' }

describe.each([
  ['a chat upstream', CHAT_MODEL],
  ['an upstream of its own wire', modelOf('messages')],
])('Claude Code with %s', (_name, model) => {
  it('runs its tools, answers, and its usage is what the ledger was charged for', async () => {
    const { owner, key } = await makeChatter()
    const file = path.join(folders.work, 'made.txt')
    const prompt = scriptedText({
      turns: [
        {
          reasoning: 'First the file.',
          text: 'I make it.',
          toolCalls: [{ name: 'Write', arguments: { file_path: file, content: 'from claude\n' } }],
        },
        {
          toolCalls: [
            { name: 'Bash', arguments: { command: 'cat made.txt', description: 'Show it' } },
            { name: 'Read', arguments: { file_path: file } },
          ],
        },
        { text: 'The file is made.' },
      ],
    })
    const run = await runClaude(key.key, model, prompt)
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('from claude\n')
    expect(blocksIn(run, 'tool_use').map(({ name }) => name)).toEqual(['Write', 'Bash', 'Read'])
    expect(blocksIn(run, 'tool_result')).toHaveLength(3)
    expect(blocksIn(run, 'tool_result').filter((block) => block.is_error)).toEqual([])
    const result = resultOf(run)
    expect(result).toMatchObject({ subtype: 'success', result: 'The file is made.', num_turns: 4 })

    const { calls, inputTokens, outputTokens, charged } = await sumOfReceipts(owner)
    expect(calls).toBe(3)
    expect(result.usage).toMatchObject({ input_tokens: inputTokens, output_tokens: outputTokens })
    expect(charged).toBeGreaterThan(10)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
    expect(JSON.stringify((await sandboxUpstream.last()).body.messages)).toContain('First the file.')
  })
})

describe('402', () => {
  it('of a key without budget is shown by Claude Code as we say it, and it gives up', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 1 })
    const run = await runClaude(key.key, CHAT_MODEL, scriptedText({ text: 'Never said.' }))
    expect(run.code).toBe(1)
    expect(resultOf(run)).toMatchObject({
      is_error: true,
      api_error_status: 402,
      result: expect.stringMatching(/^API Error: 402 Not enough credits: .* budget leaves 1/),
    })
    expect(await sandboxUpstream.calls()).toBe(0)
    // Its one request, and this one.
    const { headers } = await send('/api/v1/key', { key: key.key })
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('9998')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 0 })
  })

  it('in the middle of its work stops it, and nothing is overspent', async () => {
    const { owner, key } = await makeChatter(1_000_000, { budget: 3_000 })
    const call = { name: 'Bash', arguments: { command: 'echo again', description: 'Again' } }
    const turns = Array.from({ length: 50 }, () => ({ text: LONG, toolCalls: [call] }))
    const run = await runClaude(key.key, CHAT_MODEL, scriptedText({ turns }))
    expect(run.code).toBe(1)
    expect(blocksIn(run, 'tool_result').length).toBeGreaterThan(0)
    expect(resultOf(run)).toMatchObject({ is_error: true, result: expect.stringMatching(/budget/) })
    const { charged, held } = await readOwnerMoney(owner)
    expect(held).toBe(0)
    expect(charged).toBe((await sumOfReceipts(owner)).charged)
    expect(charged).toBeLessThanOrEqual(3_000)
  })
})
