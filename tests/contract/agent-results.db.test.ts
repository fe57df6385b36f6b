import { afterEach, describe, expect, it } from 'vitest'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { type FunctionModelRequest, startFunctionModel } from '../support/function-model'
import { makeCaller } from '../support/owners'
import type { ModelTurn } from '../support/persuaded-model'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const MODEL = 'northwind/gale-4'
let model: { close: () => void } | undefined
afterEach(() => {
  model?.close()
  model = undefined
})

const ALL = 480
const SEARCH = {
  name: 'property_search',
  arguments: { locationId: '0-EU-ES-90', locationName: 'Alboraya', location: 'es', operation: 'sale', maxResults: ALL },
}

const lastText = ({ messages }: FunctionModelRequest): string => String(messages.at(-1)?.content ?? '')
/** What a cut result says to call, as a model reads it. */
const nextRead = (text: string): Record<string, unknown> | null => {
  const found = /result_read (\{.*?\})/.exec(text.split('\n')[0] ?? '')
  return found?.[1] ? (JSON.parse(found[1]) as Record<string, unknown>) : null
}
/** The result in a tool message, without the note before it. */
const jsonIn = (text: string): Record<string, unknown> =>
  JSON.parse(text.startsWith('[step') ? text.slice(text.indexOf('\n') + 1) : text) as Record<string, unknown>
const call = (name: string, args: Record<string, unknown>): ModelTurn => ({ calls: [{ name, arguments: args }] })

type Home = { propertyCode?: string }
const keyOf = (home: Home) => JSON.stringify(home)

async function runGoal(fields: object = {}) {
  const { owner, key } = await makeCaller(100_000, { agent: true })
  const { body } = await startAgentRun(key.key, { goal: 'Read every home.', model: MODEL, ...fields })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status, String(done.result)).toBe('completed')
  const steps = await readSteps(key.key, body.jobId)
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
  expect(done.creditsSpent).toBe(steps.reduce((sum, step) => sum + step.creditsCharged, 0))
  return { done, steps, key, owner }
}

describe.each([
  { contextSize: 1_000_000, minShown: 150 },
  { contextSize: 128_000, minShown: 25 },
])('480 homes that a run paid for, with a context of $contextSize tokens', ({ contextSize, minShown }) => {
  it('are read to the last one with result_read, each whole and for free', async () => {
    const seen: Home[] = []
    let shownAtFirst = 0
    const answer = (request: FunctionModelRequest): ModelTurn => {
      if (request.messages.at(-1)?.role !== 'tool') return { calls: [SEARCH] }
      const text = lastText(request)
      const result = jsonIn(text)
      seen.push(...(result.rows as Home[]))
      const next = nextRead(text)
      if (next) {
        shownAtFirst = seen.length
        expect(text).toContain(`rows: the first ${seen.length} of ${ALL} items`)
        expect(next.offset).toBe(seen.length)
        return call('result_read', next)
      }
      expect(result.cut).toBeUndefined()
      if (result.nextOffset == null) return { text: `I read ${seen.length} homes.` }
      return call('result_read', { step: result.step, path: result.path, offset: result.nextOffset })
    }
    model = await startFunctionModel(MODEL, answer, { contextSize })
    const { done, steps } = await runGoal()
    expect(done.result).toContain(`I read ${ALL} homes.`)
    const search = steps.find(({ name }) => name === 'property_search')
    expect(search?.output?.rows).toEqual(seen)
    expect(new Set(seen.map(keyOf)).size).toBe(ALL)
    expect(shownAtFirst).toBeGreaterThan(minShown)
    const reads = steps.filter(({ name }) => name === 'result_read')
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.every(({ creditsCharged, error }) => creditsCharged === 0 && error === null)).toBe(true)
  })
})
