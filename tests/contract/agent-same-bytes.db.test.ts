import { expect, it } from 'vitest'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { withSandbox } from '../support/api'
import { type FunctionModelRequest, withFunctionModel } from '../support/function-model'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const MODEL = 'northwind/gale-4'
const startModel = withFunctionModel()

const CALLS = [
  { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin', 'monero'], currencies: ['usd', 'eur'] } },
  { name: 'crypto_get_market_data', arguments: { coinIds: ['bitcoin', 'monero'] } },
]

/** Every message and definition but what is said of credits. */
const textOf = ({ messages, tools }: FunctionModelRequest): string[] => [
  JSON.stringify(tools),
  ...messages.map((message) => JSON.stringify(message)),
]

it('a follow-up begins with the very bytes of the turn before, whatever it is about', async () => {
  const asked: FunctionModelRequest[] = []
  await startModel(MODEL, (request) => {
    asked.push(structuredClone(request))
    if (asked.length === 1) return { calls: CALLS }
    return { text: 'Both prices are above.' }
  })
  const { key } = await makeCaller(100_000, { agent: true })
  const { body } = await startAgentRun(key.key, { goal: 'What do bitcoin and monero cost?', model: MODEL })
  await untilStatus(key.key, body.jobId, 'completed', 'failed')
  const goal = 'Find apartments to rent in Madrid with two bedrooms'
  await startAgentRun(key.key, { goal, model: MODEL, conversationId: body.jobId })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status, String(done.result)).toBe('completed')
  expect(asked).toHaveLength(3)
  const [, second, third] = asked.map(textOf)
  expect(third?.slice(0, second?.length)).toEqual(second)
  expect(third?.join('\n')).toContain(goal)
  const agents = (await readSteps(key.key, body.jobId)).flatMap(({ output }) => output?.agent ?? [])
  expect(new Set(agents)).toEqual(new Set(['crypto']))
})
