import { describe, expect, it } from 'vitest'
import { readShown } from '../../server/sandbox/player/shown'
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

const ALL = 480
const SEARCH = {
  name: 'property_search',
  arguments: { locationId: '0-EU-ES-90', locationName: 'Alboraya', location: 'es', operation: 'sale', maxResults: ALL },
}

const lastText = ({ messages }: FunctionModelRequest): string => String(messages.at(-1)?.content ?? '')
/** What a cut result says to call, as a model reads it. */
const nextRead = (text: string): Record<string, unknown> | null => {
  const found = /Read on for free with result_read (\{.*?\})/.exec(text.split('\n')[0] ?? '')
  return found?.[1] ? (JSON.parse(found[1]) as Record<string, unknown>) : null
}
/** The result in a tool message, without the note before it. */
const shownIn = (text: string): Record<string, unknown> =>
  readShown(text.startsWith('[step') ? text.slice(text.indexOf('\n') + 1) : text) as Record<string, unknown>
const isSummary = ({ messages }: FunctionModelRequest) =>
  String(messages[0]?.content).startsWith('Summarize the record')
const call = (name: string, args: Record<string, unknown>): ModelTurn => ({ calls: [{ name, arguments: args }] })

type Home = { propertyId?: string }
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
  { contextSize: 400_000, minShown: 40 },
  { contextSize: 128_000, minShown: 25 },
  { contextSize: 16_000, minShown: 4 },
])('480 homes that a run paid for, with a context of $contextSize tokens', ({ contextSize, minShown }) => {
  it('are read to the last one with result_read, each whole and for free', async () => {
    const seen: Home[] = []
    let shownAtFirst = 0
    let next = (): ModelTurn => ({ text: 'Nothing to read.' })
    const answer = (request: FunctionModelRequest): ModelTurn => {
      if (isSummary(request)) return { text: 'I read homes from the results that are listed.' }
      if (request.messages.at(-1)?.role !== 'tool') return seen.length > 0 ? next() : { calls: [SEARCH] }
      const text = lastText(request)
      const result = shownIn(text)
      seen.push(...(result.rows as Home[]))
      const hint = nextRead(text)
      if (hint) {
        shownAtFirst = seen.length
        expect(text).toContain(`rows: the first ${seen.length} of ${ALL} items`)
        expect(hint.offset).toBe(seen.length)
      }
      expect(result.cut).toBeUndefined()
      const { step, path, offset } = hint ?? { ...result, offset: result.nextOffset }
      next = () =>
        offset == null ? { text: `I read ${seen.length} homes.` } : call('result_read', { step, path, offset })
      return next()
    }
    await startModel(MODEL, answer, { contextSize })
    const { done, steps } = await runGoal()
    expect(done.result).toContain(`I read ${ALL} homes.`)
    const search = steps.find(({ name }) => name === 'property_search')
    const known = ((search?.output?.rows ?? []) as Home[]).map(({ propertyId }) => propertyId)
    expect(seen.map(({ propertyId }) => propertyId)).toEqual(known)
    expect(new Set(seen.map(keyOf)).size).toBe(ALL)
    expect(shownAtFirst).toBeGreaterThan(minShown)
    const reads = steps.filter(({ name }) => name === 'result_read')
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.every(({ creditsCharged, error }) => creditsCharged === 0 && error === null)).toBe(true)
  })
})

it('480 homes go to SQL without passing through the model', async () => {
  let prompt = ''
  const answer = (request: FunctionModelRequest): ModelTurn => {
    prompt = JSON.stringify(request.messages)
    const results = request.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    const [homes = '', made, counted] = results
    if (results.length === 0) return { calls: [SEARCH] }
    if (counted) return { text: `Counted: ${counted}` }
    if (made)
      return call('dataset_query', { sql: 'select count(*) as n, count(distinct propertyId) as codes from homes' })
    const given = JSON.parse(/dataset_create (\{.*?\})/.exec(homes)?.[1] ?? '') as Record<string, unknown>
    return call('dataset_create', { name: 'homes', ...given })
  }
  await startModel(MODEL, answer, { contextSize: 16_000 })
  const { done, steps } = await runGoal()
  const search = steps.find(({ name }) => name === 'property_search')
  const rows = search?.output?.rows as Record<string, unknown>[]
  const made = steps.find(({ name }) => name === 'dataset_create')
  expect(made).toMatchObject({ creditsCharged: 0, error: null, output: { rowCount: ALL } })
  expect(made?.input).toEqual({ name: 'homes', fromStep: search?.index, path: 'rows' })
  for (const name of ['n', 'codes']) expect(done.result).toContain(`"${name}":${ALL}`)
  expect(prompt.length).toBeLessThan(JSON.stringify(rows).length / 4)
})

it('a result of a step that is not there, or runs at the same time, cannot be read', async () => {
  const answer = ({ messages }: FunctionModelRequest): ModelTurn => {
    if (messages.at(-1)?.role === 'tool') return { text: 'Done.' }
    return {
      calls: [
        { name: 'pod_run', arguments: { command: 'seq 1 5' } },
        { name: 'result_read', arguments: { step: 1 } },
        { name: 'result_read', arguments: { step: 'one' } },
        { name: 'dataset_create', arguments: { name: 'early', fromStep: 1 } },
        { name: 'result_read', arguments: { step: 77 } },
      ],
    }
  }
  await startModel(MODEL, answer)
  const { steps } = await runGoal()
  const codes = steps.filter(({ kind }) => kind === 'tool').map(({ name, error }) => `${name} ${error?.code}`)
  expect(codes).toEqual([
    'pod_run undefined',
    'result_read invalid_request',
    'result_read invalid_request',
    'dataset_create invalid_request',
    'result_read invalid_request',
  ])
})
