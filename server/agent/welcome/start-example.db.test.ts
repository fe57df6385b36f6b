import { expect, it } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { makeOwner } from '../../../tests/support/owners'
import { saveAgentSettings } from '../../accounts/agent-settings'
import { prisma } from '../../db'
import { listKeys } from '../../keys/list'
import { revokeKey } from '../../keys/revoke'
import { uuidv7 } from '../../kit/id'
import { listExamples } from './example-goals'
import { startExample } from './start-example'

withSandbox()

const keysOf = async (ownerId: number) => (await listKeys(ownerId, { limit: 100 })).rows

it('an example runs under a key of its own, which limits what it may spend and can do nothing else', async () => {
  const owner = await makeOwner(10_000)
  const job = await startExample(owner.id, { id: 'research', idempotencyKey: uuidv7() })
  expect(job).toMatchObject({ mode: 'autonomous', runBudgetCredits: 400 })
  const [key, ...others] = await keysOf(owner.id)
  expect(key).toMatchObject({ name: 'Example goals', tools: [], llm: false, agent: true, agentRunBudgetCredits: 400 })
  expect(others).toEqual([])
  const turn = await prisma().turn.findUniqueOrThrow({ where: { runId: job.runId } })
  expect(turn).toMatchObject({ ownerId: owner.id, keyId: key?.id, goal: expect.stringContaining('night trains') })
})

it('starts at once share one key, and a repeated start is the same run', async () => {
  const owner = await makeOwner(10_000)
  const again = { id: 'site', idempotencyKey: uuidv7() }
  const jobs = await Promise.all([
    startExample(owner.id, again),
    startExample(owner.id, again),
    startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() }),
  ])
  expect(jobs[1]).toEqual(jobs[0])
  expect(jobs[2]?.jobId).not.toBe(jobs[0]?.jobId)
  expect(await keysOf(owner.id)).toHaveLength(1)
})

it('a revoked key gets a successor', async () => {
  const owner = await makeOwner(10_000)
  await startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() })
  const [first] = await keysOf(owner.id)
  await revokeKey(owner.id, first?.id ?? 0)
  await startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() })
  expect((await keysOf(owner.id)).map(({ state }) => state).sort()).toEqual(['active', 'revoked'])
})

it('an unknown example is not found, one without credits is refused, and neither leaves a run', async () => {
  const owner = await makeOwner(0)
  await expect(startExample(owner.id, { id: 'x', idempotencyKey: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(startExample(owner.id, { id: 'image', idempotencyKey: 'x' })).rejects.toMatchObject({
    code: 'insufficient_credits',
  })
  expect(await prisma().job.count({ where: { ownerId: owner.id } })).toBe(0)
})

it('examples whose tools the owner has switched off are not offered', async () => {
  const owner = await makeOwner()
  const ids = async () => (await listExamples(owner.id)).map(({ id }) => id)
  expect(await ids()).toEqual(['research', 'homes', 'site', 'image'])
  await saveAgentSettings(owner.id, { disabledTools: ['image_generate', 'dataset_query', 'crypto_get_prices'] })
  expect(await ids()).toEqual(['research', 'site'])
  for (const { goal } of await listExamples(owner.id)) expect(goal).not.toMatch(/[{}]/)
})

it('a key whose owner has raised its limit is left to them: the next example has one of its own', async () => {
  const owner = await makeOwner(10_000)
  const first = await startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() })
  await prisma().key.updateMany({ where: { ownerId: owner.id }, data: { agentRunBudgetCredits: 9_000 } })
  const second = await startExample(owner.id, { id: 'image', idempotencyKey: uuidv7() })
  expect([first.runBudgetCredits, second.runBudgetCredits]).toEqual([400, 400])
  expect(await keysOf(owner.id)).toHaveLength(2)
})
