import { expect, it } from 'vitest'
import { send, waitForCallsToEnd, withSandbox } from '../../../tests/support/api'
import { callTool } from '../../../tests/support/call-tool'
import { CHAT_MODEL, sendChat } from '../../../tests/support/chat'
import { makeJob } from '../../../tests/support/job'
import { sendRpc } from '../../../tests/support/mcp'
import { makeKey, makeOwner } from '../../../tests/support/owners'
import { prisma } from '../../db'
import { uuidv7 } from '../../kit/id'
import { findTool } from '../../tools/registry'
import { hideFirstSteps, readFirstSteps } from './first-steps'
import { startExample } from './start-example'

withSandbox()

async function done(ownerId: number): Promise<string[]> {
  await waitForCallsToEnd()
  const { steps } = await readFirstSteps({ ownerId, isAdmin: false })
  return steps.filter(({ isDone }) => isDone).map(({ id }) => id)
}

const CALL = { tool: 'web_search', params: { query: 'toll roads' } }
const ask = (key: string) =>
  sendChat(key, { model: CHAT_MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] })

it('each step is done once it has happened, and only for its owner', async () => {
  const [owner, other] = [await makeOwner(50_000), await makeOwner(50_000)]
  expect(await done(owner.id)).toEqual([])
  const key = await makeKey(owner, { llm: true })
  expect(await done(owner.id)).toEqual(['key'])
  expect((await send('/api/v1/query', { key: key.key, body: CALL })).status).toBe(200)
  expect(await done(owner.id)).toEqual(['key', 'tool'])
  expect((await ask(key.key)).status).toBe(200)
  expect(await done(owner.id)).toEqual(['key', 'tool', 'chat', 'client'])
  await makeJob({ ownerId: owner.id, keyId: key.id, status: 'cancelled' })
  expect(await done(owner.id)).not.toContain('agent')
  await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  expect(await done(owner.id)).toEqual(['key', 'tool', 'chat', 'agent', 'client'])
  expect(await done(other.id)).toEqual([])
})

it('a call over MCP is one of a connected client, one from the dashboard is not', async () => {
  const owner = await makeOwner(50_000)
  const tool = findTool(CALL.tool)
  if (!tool) throw new Error('there is no web search')
  await callTool({
    tool,
    params: CALL.params,
    payer: { ownerId: owner.id, keyId: null },
    granted: true,
    id: uuidv7(),
    channel: 'playground',
  })
  expect(await done(owner.id)).toEqual(['tool'])
  const { key } = await makeKey(owner)
  const params = { name: CALL.tool, arguments: CALL.params }
  expect((await sendRpc(key, { id: 1, method: 'tools/call', params })).status).toBe(200)
  expect(await done(owner.id)).toEqual(['key', 'tool', 'client'])
})

it('the key of example goals is not one that the owner made', async () => {
  const owner = await makeOwner(10_000)
  await startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() })
  expect(await done(owner.id)).toEqual([])
  await makeKey(owner)
  expect(await done(owner.id)).toEqual(['key'])
})

it('what was done stays done when its rows are gone', async () => {
  const owner = await makeOwner()
  const { id } = await makeKey(owner)
  expect(await done(owner.id)).toEqual(['key'])
  await prisma().key.delete({ where: { id } })
  expect(await done(owner.id)).toEqual(['key'])
})

it('going live is for admins, and not done in the sandbox', async () => {
  const owner = await makeOwner()
  const live = async (isAdmin: boolean) =>
    (await readFirstSteps({ ownerId: owner.id, isAdmin })).steps.find(({ id }) => id === 'live')
  expect(await live(true)).toEqual({ id: 'live', isDone: false })
  expect(await live(false)).toBeUndefined()
})

it('the list can be hidden and brought back, with what was done', async () => {
  const owner = await makeOwner()
  const isHidden = async () => (await readFirstSteps({ ownerId: owner.id, isAdmin: false })).isHidden
  expect(await isHidden()).toBe(false)
  await hideFirstSteps(owner.id, true)
  await makeKey(owner)
  expect([await isHidden(), await done(owner.id)]).toEqual([true, ['key']])
  await hideFirstSteps(owner.id, false)
  expect([await isHidden(), await done(owner.id)]).toEqual([false, ['key']])
})
