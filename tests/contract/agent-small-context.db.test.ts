import { expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { type FunctionModelRequest, withFunctionModel } from '../support/function-model'
import { makeCaller } from '../support/owners'
import type { ModelTurn } from '../support/persuaded-model'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const MODEL = 'northwind/gale-4'
const startModel = withFunctionModel()

const namesOf = ({ tools }: FunctionModelRequest) => tools.map(({ function: { name } }) => name)

it('a context that cannot hold a few tools and the goal is refused at the start, with the one it takes', async () => {
  await startModel(MODEL, () => ({ text: 'Never asked.' }), { contextSize: 2_000 })
  const { owner, key } = await makeCaller(10_000, { agent: true })
  const refused = await startAgentRun(key.key, { goal: 'Count the homes.', model: MODEL })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(refused.body.error).toMatch(/takes 2,000 tokens, and this run needs about \d,\d{3}/)
  expect(await prisma().job.count({ where: { ownerId: owner.id } })).toBe(0)
  expect(await chargedTo(owner)).toBe(0)
  const needed = Number(/needs about (\d+,\d{3})/.exec(String(refused.body.error))?.[1]?.replace(',', ''))
  await startModel(MODEL, () => ({ text: 'Counted.' }), { contextSize: needed })
  const { status, body } = await startAgentRun(key.key, { goal: 'Count the homes.', model: MODEL })
  expect(status, JSON.stringify(body)).toBe(202)
  expect(await untilStatus(key.key, body.jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
})

it('a goal that leaves no place for tools is refused with its numbers', async () => {
  await startModel(MODEL, () => ({ text: 'Never asked.' }), { contextSize: 8_000 })
  const { key } = await makeCaller(10_000, { agent: true })
  const refused = await startAgentRun(key.key, { goal: 'Count all of the homes. '.repeat(600), model: MODEL })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(refused.body.error).toMatch(/needs about \d+,\d{3}/)
})

it('a small context gets the ways into its tools, and the others as it needs them', async () => {
  const offered: string[][] = []
  const answer = (request: FunctionModelRequest): ModelTurn => {
    offered.push(namesOf(request))
    if (offered.length === 1) return { calls: [{ name: 'tools_find', arguments: { names: ['property_search'] } }] }
    if (offered.length === 2)
      return { calls: [{ name: 'property_suggestions', arguments: { prefix: 'Alboraya', location: 'es' } }] }
    return { text: 'Found.' }
  }
  await startModel(MODEL, answer, { contextSize: 12_000 })
  const { owner, key } = await makeCaller(10_000, { agent: true })
  const { body } = await startAgentRun(key.key, { goal: 'Do several things.', model: MODEL })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status, String(done.result)).toBe('completed')
  const [first = [], second = [], third = []] = offered
  expect(first).toEqual(['tools_call', 'tools_find', 'web_search', 'web_read_url'])
  expect(first).not.toContain('property_search')
  expect(second).toEqual([...first, 'property_search'])
  expect(third.slice(0, first.length)).toEqual(first)
  const steps = await readSteps(key.key, body.jobId)
  expect(steps.find(({ name }) => name === 'property_suggestions')?.error).toBeNull()
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
})
