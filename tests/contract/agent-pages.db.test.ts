import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '../../server/env'
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
const PARAGRAPHS = 900
/** A page of some 160,000 characters; each paragraph has a number of its own. */
const page = Array.from(
  { length: PARAGRAPHS },
  (_, i) => `<p>Paragraph P${i}Q: ${'the tide rises and falls, and the mill turns with it. '.repeat(3)}</p>`,
).join('\n')
const server = createServer((_req, res) => {
  res.setHeader('content-type', 'text/html')
  res.end(`<!doctype html><title>Mills</title><body><article><h1>Tide mills</h1>${page}</article></body>`)
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(env(), { ALLOW_PRIVATE_HOSTS: [...env().ALLOW_PRIVATE_HOSTS, host] })
  url = `http://${host}/mills`
})
afterAll(() => server.close())

const startModel = withFunctionModel()

const call = (name: string, args: Record<string, unknown>): ModelTurn => ({ calls: [{ name, arguments: args }] })
const lastText = ({ messages }: FunctionModelRequest): string => String(messages.at(-1)?.content ?? '')
const isSummary = ({ messages }: FunctionModelRequest) =>
  String(messages[0]?.content).startsWith('Summarize the record')

async function runGoal(goal: string) {
  const { owner, key } = await makeCaller(100_000, { agent: true, capabilities: ['web'] })
  const { body } = await startAgentRun(key.key, { goal, model: MODEL })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status, String(done.result)).toBe('completed')
  const steps = await readSteps(key.key, body.jobId)
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
  return { done, page: steps.find(({ name }) => name === 'web_read_url'), steps }
}

it.each([200_000, 32_000])(
  'a long page is read to its end in parts, with a context of %i tokens',
  async (contextSize) => {
    let text = ''
    let next = (): ModelTurn => call('web_read_url', { url })
    const answer = (request: FunctionModelRequest): ModelTurn => {
      if (isSummary(request)) return { text: 'Part of the page was read.' }
      const last = lastText(request)
      if (request.messages.at(-1)?.role !== 'tool') return next()
      const hint = /result_read (\{.*?\})/.exec(last.split('\n')[0] ?? '')?.[1]
      if (hint) {
        expect(last).toContain('characters left out')
        const { step, path } = JSON.parse(hint) as Record<string, unknown>
        expect(path).toBe('markdown')
        return call('result_read', { step, path, offset: 0 })
      }
      const part = readShown(last.slice(last.indexOf('{'))) as Record<string, unknown>
      text += part.text
      next = () =>
        part.nextOffset === undefined
          ? { text: 'Read.' }
          : call('result_read', { step: part.step, path: part.path, offset: part.nextOffset })
      return next()
    }
    await startModel(MODEL, answer, { contextSize })
    const { page: read, steps } = await runGoal('Read all of the page.')
    expect(text).toBe(read?.output?.markdown)
    expect(text).toContain(`P${PARAGRAPHS - 1}Q`)
    expect(steps.filter(({ name }) => name === 'web_read_url')).toHaveLength(1)
  },
)

it('a place in a long page is found without reading it', async () => {
  const answer = (request: FunctionModelRequest): ModelTurn => {
    const last = lastText(request)
    if (request.messages.at(-1)?.role !== 'tool') return call('web_read_url', { url })
    const step = /^\[step (\d+), cut/.exec(last)?.[1]
    if (step) return call('result_read', { step: Number(step), search: 'paragraph p611q' })
    const { matches, places } = JSON.parse(last) as { matches: number; places: { offset: number; text: string }[] }
    return { text: `${matches} at ${places[0]?.offset}: ${places[0]?.text}` }
  }
  await startModel(MODEL, answer, { contextSize: 32_000 })
  const { done, page: read } = await runGoal('Find paragraph 611.')
  const at = String(read?.output?.markdown).indexOf('Paragraph P611Q')
  expect(done.result).toContain(`1 at ${at}: `)
  expect(done.result).toContain('Paragraph P611Q: the tide rises')
})
