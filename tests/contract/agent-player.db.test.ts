import { describe, expect, it } from 'vitest'
import { pollJob, readSteps, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

/** Runs without a script for their model: the sandbox's player plays the agent. */

withSandbox()
withWorker()

const MODEL = 'northwind/gale-4-mini'
const GOALS = [
  'Research night trains in Europe: which routes run, what a bed costs, and what travellers say about them in forums. Compare the sources and report in half a page, with links.',
  'Find apartments for sale in Lisbon, Portugal. Keep the listings as a dataset, compute the average price per square metre by neighbourhood with SQL, show it as a chart, and name the three cheapest homes per square metre.',
  'Draw an image of a lighthouse on a rocky coast at sunset, in the style of a travel poster, in portrait format.',
  'Publish a one-page site about the lighthouses of Portugal under the name lighthouses-x1. Then replace it with a second version that has a table of their heights.',
]

it.each(GOALS)('%s', async (goal) => {
  const { owner, key } = await makeCaller(10_000, { agent: true, llm: true })
  const mode = goal.startsWith('Publish') ? 'interactive' : 'autonomous'
  const { status, body } = await startAgentRun(key.key, { goal, model: MODEL, mode })
  expect(status, JSON.stringify(body)).toBe(202)
  let job = await untilStatus(key.key, body.jobId, 'completed', 'failed', 'awaiting_input')
  while (job.status === 'awaiting_input') {
    console.log(JSON.stringify(job.awaitingInput).slice(0, 1500))
    await sendAnswer(key.key, body.jobId, { approved: true, feedback: 'ok' })
    job = await untilStatus(key.key, body.jobId, 'completed', 'failed', 'awaiting_input')
  }
  const steps = await readSteps(key.key, body.jobId)
  console.log(
    job.status,
    job.creditsSpent,
    body.agent,
    '\n' +
      steps
        .map(
          (s) =>
            `${s.index} ${s.kind} ${s.name} ${s.creditsCharged} ${JSON.stringify(s.input).slice(0, 150)} ${s.error?.message ?? ''} in=${s.output?.inputTokens} ${JSON.stringify(s.output).length}`,
        )
        .join('\n'),
  )
  console.log(job.result)
  expect(job.status).toBe('completed')
  expect(await chargedTo(owner)).toBeLessThan(300)
})
