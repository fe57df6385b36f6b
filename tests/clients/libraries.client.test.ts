import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { strictModel, withFakeProviders } from '../support/wires/fake-providers'
import { STRICT_PROVIDERS } from '../support/wires/strict-providers'
import type { Client } from './install'
import { runProgram } from './run-program'

const providers = withFakeProviders(STRICT_PROVIDERS)
withSandbox()

const USAGE = { input: 60, output: 12 }
const CALL = { calls: [{ id: 'call_1', name: 'weather', args: ['{"city": "Oslo"}'] }], usage: USAGE }
const SAID = { text: ['Take ', 'an umbrella.'], usage: USAGE }

const ASKING: [string, Client][] = [
  ['ai-sdk', { name: '@ai-sdk/openai', version: '4.0.118', with: ['ai@7.0.173', 'zod'] }],
  ['openai-agents', { name: '@openai/agents', version: '0.20.0', with: ['zod'] }],
  ['anthropic-tool-runner', { name: '@anthropic-ai/sdk', version: '1.13.0', with: ['zod'] }],
]
const CHATTING: [string, Client][] = [
  ['llamaindex', { name: 'llamaindex', version: '0.12.1', with: ['@llamaindex/openai@0.4.23'] }],
  ['langchain', { name: '@langchain/openai', version: '1.6.0' }],
]
const CALLING: [string, Client][] = [
  ['langchain-mcp', { name: '@langchain/mcp-adapters', version: '1.1.4', with: ['@langchain/core@1.4.0'] }],
  ['mcp-sdk', { name: '@modelcontextprotocol/sdk', version: '1.32.2' }],
  ['mcp-client', { name: '@modelcontextprotocol/client', version: '2.4.0' }],
]

describe.each(Object.keys(STRICT_PROVIDERS))('with %s, which refuses what its API refuses', (provider) => {
  const env = (key: string) => ({ TOLLGATE_KEY: key, MODEL: strictModel(provider) })

  it.each(ASKING)('%s calls a tool and answers, for what the ledger says', async (name, client) => {
    const { owner, key } = await makeChatter()
    providers.play(CALL, SAID)
    expect(await runProgram(name, client, env(key.key))).toBe(SAID.text.join(''))
    expect(providers.seen().results).toEqual({ call_1: 'Rain in Oslo.' })
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 2, held: 0 })
  })

  it.each(CHATTING)('%s is answered', async (name, client) => {
    const { owner, key } = await makeChatter()
    providers.play(SAID)
    expect(await runProgram(name, client, env(key.key))).toBe(SAID.text.join(''))
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, held: 0 })
  })
})

describe('over MCP', () => {
  it.each(CALLING)('%s lists tools and calls one', async (name, client) => {
    const { owner, key } = await makeChatter()
    const printed = JSON.parse(await runProgram(name, client, { TOLLGATE_KEY: key.key })) as { tools: number }
    expect(printed.tools).toBeGreaterThan(20)
    expect(JSON.stringify(printed)).toContain('bitcoin')
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, held: 0 })
  })
})
