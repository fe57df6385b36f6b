import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleRequest } from '../../server/agent/welcome/example-goals'
import { type ReportedStep, readSteps, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

/** Runs without a script for their model: the sandbox's player plays the agent. */

withSandbox()
withWorker()

const MODEL = 'lantern/wick-long'
type Answer = { approved: boolean; feedback?: string }
type Done = {
  status: unknown
  result: string
  credits: number
  steps: ReportedStep[]
  asked: Record<string, unknown>[]
}

/** Runs a goal to its end; what it asks is answered in this order, then approved. */
async function play(goal: string, fields: object = {}, answers: Answer[] = []): Promise<Done> {
  const { owner, key } = await makeCaller(10_000, { agent: true, llm: true })
  const { status, body } = await startAgentRun(key.key, { goal, model: MODEL, ...fields })
  expect(status, JSON.stringify(body)).toBe(202)
  const asked: Record<string, unknown>[] = []
  for (;;) {
    const job = await untilStatus(key.key, body.jobId, 'completed', 'failed', 'awaiting_input')
    if (job.status !== 'awaiting_input') {
      const steps = await readSteps(key.key, body.jobId)
      const credits = await chargedTo(owner)
      expect(job.creditsSpent).toBe(credits)
      return { status: job.status, result: String(job.result), credits, steps, asked }
    }
    asked.push(job.awaitingInput as Record<string, unknown>)
    const answer = answers[asked.length - 1] ?? { approved: true, feedback: 'Go on.' }
    expect((await sendAnswer(key.key, body.jobId, answer)).status).toBe(200)
  }
}

/** Plays an example goal; `example-runs.db.test.ts` compares what they cost. */
async function playExample(id: string, answers: Answer[] = []): Promise<Done> {
  const { goal = '', ...fields } = exampleRequest(id, { ownerId: 1, idempotencyKey: randomUUID() }) ?? {}
  const done = await play(goal, fields, answers)
  expect(done.status).toBe('completed')
  expect(done.credits).toBeLessThan(300)
  return done
}

const calledIn = ({ steps }: Done) => steps.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
const linksIn = ({ result }: Done) =>
  [...result.matchAll(/\]\((http:\/\/127\.0\.0\.1[^\s)]*)\)/g)].map(([, url]) => String(url))

it('research searches in parallel, reads pages and links what it says to pages that are there', async () => {
  const done = await playExample('research')
  const called = calledIn(done)
  expect(called.slice(0, 2).sort()).toEqual(['forum_search', 'web_search'])
  expect(called.slice(2).sort()).toEqual(['forum_post', 'web_read_url', 'web_read_url'])
  expect(done.steps.filter(({ kind }) => kind === 'model').length).toBeLessThanOrEqual(8)
  const links = linksIn(done)
  expect(links.length).toBeGreaterThan(2)
  for (const link of new Set(links)) expect((await fetch(link)).status, link).toBe(200)
  expect(done.result).toContain('is no language model')
})

it('homes end in a dataset, numbers by SQL and a chart', async () => {
  const done = await playExample('homes')
  expect(calledIn(done)).toEqual([
    ...['property_suggestions', 'dataset_list', 'property_search', 'dataset_create'],
    ...['dataset_query', 'dataset_query', 'dataset_query'],
  ])
  const chart = /```chart\n(.+)\n```/.exec(done.result)?.[1]
  expect(JSON.parse(String(chart))).toMatchObject({
    type: 'bar',
    rows: expect.arrayContaining([[expect.any(String), expect.any(Number)]]),
  })
  expect(done.result).toContain('## The cheapest per square metre')
})

it('a site is planned, published, and replaced once a person has approved', async () => {
  const done = await playExample('site')
  expect(done.asked.map(({ kind }) => kind)).toEqual(['plan', 'approval'])
  expect(done.result).toContain('version 2, in place of version 1')
  const published = done.steps.filter(({ name }) => name === 'site_publish')
  expect(published.map(({ output }) => output?.version)).toEqual([1, 2])
  expect(JSON.stringify(published[1]?.input)).toContain('<table>')

  const kept = await playExample('site', [{ approved: true }, { approved: false, feedback: 'Leave it.' }])
  expect(kept.asked).toHaveLength(2)
  expect(kept.result).toMatch(/You did not want the site lighthouses-[0-9a-f]{6} to be changed/)
})

it('an image is made in the shape that the goal names', async () => {
  const done = await playExample('image')
  expect(calledIn(done)).toEqual(['image_generate'])
  expect(done.steps[1]?.input).toMatchObject({ aspectRatio: '2:3', prompt: expect.stringContaining('lighthouse') })
  expect(done.result).toContain(`![a lighthouse on a rocky coast`)
})

it('it asks for the place that a goal lacks, and changes its plan as the person says', async () => {
  const done = await play(
    'Find cheap flats to rent, and what people on Reddit say about them',
    { mode: 'interactive' },
    [
      { approved: true, feedback: 'Valencia in Spain' },
      { approved: false, feedback: 'Cheaper please, and without Reddit' },
    ],
  )
  expect(done.asked.map(({ kind }) => kind)).toEqual(['question', 'plan', 'plan'])
  expect(String(done.asked[1]?.plan)).toContain('forum_search')
  expect(String(done.asked[2]?.plan)).not.toContain('forum_search')
  expect(String(done.asked[2]?.plan)).toContain('without Reddit')
  expect(calledIn(done)).not.toContain('forum_search')
  expect(done.steps.find(({ name }) => name === 'property_search')?.input).toMatchObject({
    operation: 'rent',
    location: 'es',
  })
  expect(done.result).toContain('Valencia')
})

it('on its own it takes a place for granted, and says so', async () => {
  const done = await play('Find homes for sale with a terrace')
  expect(done.status).toBe('completed')
  expect(done.result).toContain('The goal names no place, so I took Madrid.')
})

it('an answer for a program conforms to its schema, with what was found', async () => {
  const outputSchema = {
    type: 'object',
    properties: {
      summary: { type: 'string' },
      pages: {
        type: 'array',
        items: {
          type: 'object',
          properties: { title: { type: 'string' }, url: { type: 'string' } },
          required: ['title', 'url'],
        },
      },
    },
    required: ['summary', 'pages'],
  }
  const done = await play('Research the tides of the Atlantic', { outputSchema })
  expect(done.status).toBe('completed')
  const value = JSON.parse(done.result) as { summary: string; pages: { title: string; url: string }[] }
  expect(value.pages.every(({ url }) => url.startsWith('http'))).toBe(true)
  expect(value.pages.length).toBeGreaterThan(1)
})
