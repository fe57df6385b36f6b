import { beforeAll, describe, expect, it } from 'vitest'
import { saveAgentSettings } from '../../server/accounts/agent-settings'
import { findModel } from '../../server/models/registry'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, type ModelAnswer, playAgentModel, promptTextOf, systemOf } from '../support/agent-model'
import { chargedTo, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const SMALL = 'upstream/one'
const LARGE = 'upstream/two'
/** A model whose context a few results fill, and one that takes whole books. */
beforeAll(() => {
  Object.assign(findModel(SMALL) ?? {}, { contextSize: 12_000 })
  Object.assign(findModel(LARGE) ?? {}, { contextSize: 400_000 })
})

const AGENT = { agent: true, agentRunBudgetCredits: 90_000, capabilities: ['pod'] }
const over = ['completed', 'failed', 'cancelled'] as const
const isSummaryCall = (asked: AskedModel) => asked.tools.length === 0 && systemOf(asked).includes('Summarize')
const rowOf = (step: number, call: number, row: number) =>
  `home-${step}-${call}-${row} https://homes.example/${step}/${call}/${row} costs ${100_000 + step * 1_000 + row} dollars, ${WORDS}`
const ROWS = 26
const WORDS =
  'surrounded by neighbourhoods whose inhabitants appreciate comfortable apartments and international universities'
/** A call whose result is these rows. */
const listHomes = (step: number, call: number) => ({
  name: 'pod_run',
  arguments: {
    command: `for i in $(seq 1 ${ROWS}); do echo "home-${step}-${call}-$i https://homes.example/${step}/${call}/$i costs $((${100_000 + step * 1_000} + i)) dollars, ${WORDS}"; done`,
  },
})

/** A model that lists homes for so many steps, and summarizes what it is given by its ids. */
function playHomes(steps: number, summarize: (asked: AskedModel) => ModelAnswer = summaryOfIds) {
  const asked: AskedModel[] = []
  let made = 0
  upstream.play(
    playAgentModel((call) => {
      asked.push(call)
      if (isSummaryCall(call)) return summarize(call)
      if (made >= steps) return { content: 'All homes are listed.' }
      made++
      return { calls: [listHomes(made, 1)] }
    }),
  )
  return asked
}

/** A summary with the first id and URL of each list that the model was given. */
const summaryOfIds = (asked: AskedModel): ModelAnswer => {
  const ids = new Set(promptTextOf(asked).match(/home-\d+-\d+-1 https\S+/g))
  return { content: `Homes so far: ${[...ids].join(', ')}. Open question: which one has a garden?` }
}

describe('a conversation that outgrows its model', () => {
  it('is summarized by a cheaper model where the owner allows that', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    await saveAgentSettings(owner.id, { autoModel: true })
    const asked = playHomes(10)
    const { body } = await startAgentRun(key.key, { goal: 'List the homes of the town.', model: SMALL })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ status: 'completed', model: SMALL })
    const steps = await readSteps(key.key, body.jobId)
    const writers = new Set(steps.filter(({ kind, error }) => kind === 'summary' && !error).map(({ name }) => name))
    expect(writers.size).toBe(1)
    const [writer] = writers
    const cost = (id = '') => findModel(id)?.creditsPer1mInput ?? 0n
    expect(cost(writer)).toBeLessThan(cost(SMALL))
    expect(asked.filter(isSummaryCall)).toEqual([])
    expect(steps.filter(({ kind }) => kind === 'model').map(({ name }) => name)).not.toContain(writer)
  })

  it('is summarized in parts: every row that leaves the prompt was read by a summary', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const steps = 10
    const asked = playHomes(steps)
    const { body } = await startAgentRun(key.key, { goal: 'List the homes of the town.', model: SMALL })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'All homes are listed.' })

    const summaries = asked.filter(isSummaryCall)
    expect(summaries.length).toBeGreaterThan(0)
    const seen = [...summaries, ...asked.slice(-1)].map(promptTextOf).join('\n')
    const unread: string[] = []
    for (let step = 1; step <= steps; step++)
      for (let row = 1; row <= ROWS; row++) if (!seen.includes(rowOf(step, 1, row))) unread.push(`home-${step}-${row}`)
    expect(unread).toEqual([])
    expect(seen).not.toContain('characters left out')

    // What the summary has is what the model goes on with: ids, URLs, open questions, and its goal.
    const last = promptTextOf(asked.at(-1) as AskedModel)
    expect(last).toContain('home-1-1-1 https://homes.example/1/1/1')
    expect(last).toContain('Open question: which one has a garden?')
    expect(last).toContain('- step 1: pod_run')
    expect(last).toContain('List the homes of the town.')
    expect(systemOf(summaries[0] as AskedModel)).toMatch(/id.*URL.*number/)
    expect(systemOf(summaries[0] as AskedModel)).toMatch(/Open questions/)

    const rows = await readSteps(key.key, body.jobId)
    const sum = rows.reduce((total, { creditsCharged }) => total + creditsCharged, 0)
    expect(rows.filter(({ kind }) => kind === 'summary').length).toBe(summaries.length)
    expect(done.creditsSpent).toBe(sum)
    expect(await chargedTo(owner)).toBe(sum)
  })

  it('reads a message in several parts that is longer than its context', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const lines = Array.from({ length: 900 }, (_, i) => `Line ${i}: the council of ward ${i * 7} met at noon.`)
    upstream.play(playAgentModel(() => ({ content: lines.join('\n') })))
    const { body } = await startAgentRun(key.key, { goal: 'Write the minutes.', model: LARGE })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ status: 'completed' })

    const asked: AskedModel[] = []
    upstream.play(
      playAgentModel((call) => {
        asked.push(call)
        return isSummaryCall(call) ? { content: `Minutes, part ${asked.length}.` } : { content: 'They met at noon.' }
      }),
    )
    await startAgentRun(key.key, { goal: 'When did they meet?', model: SMALL, conversationId: body.jobId })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'They met at noon.' })
    const summaries = asked.filter(isSummaryCall)
    expect(summaries.length).toBeGreaterThan(1)
    const seen = summaries.map(promptTextOf).join('\n')
    expect(lines.filter((line) => !seen.includes(line))).toEqual([])
    // Each part comes with the summary of those before it.
    expect(promptTextOf(summaries[1] as AskedModel)).toContain('Minutes, part 1.')
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('is summarized again, with less to read, where a summary was cut', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    let isCut = true
    const asked = playHomes(8, (call) => {
      const finishReason = isCut ? 'length' : 'stop'
      isCut = false
      return { ...summaryOfIds(call), finishReason }
    })
    const { body } = await startAgentRun(key.key, { goal: 'List the homes.', model: SMALL })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'All homes are listed.' })
    const rows = (await readSteps(key.key, body.jobId)).filter(({ kind }) => kind === 'summary')
    expect(rows[0]).toMatchObject({ output: null, error: { message: expect.stringContaining('longer') } })
    const [first, second] = asked.filter(isSummaryCall).map((call) => promptTextOf(call).length)
    expect(second).toBeLessThan(Number(first))
    expect(promptTextOf(asked.at(-1) as AskedModel)).toContain('home-1-1-1 https://homes.example/1/1/1')
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('is failed when its summary is empty again and again, and each attempt is charged', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const asked = playHomes(20, () => ({ content: '' }))
    const { body } = await startAgentRun(key.key, { goal: 'List the homes.', model: SMALL })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'failed', result: expect.stringContaining('could not be summarized') })
    const rows = await readSteps(key.key, body.jobId)
    const failed = rows.filter(({ kind }) => kind === 'summary')
    expect(failed.map(({ error }) => error?.code)).toEqual(['upstream_error', 'upstream_error', 'upstream_error'])
    expect(asked.filter(isSummaryCall)).toHaveLength(3)
    expect(done.creditsSpent).toBe(rows.reduce((total, { creditsCharged }) => total + creditsCharged, 0))
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})

describe('historyTurnLimit', () => {
  it('sends the most recent N turns and nothing of older ones, summaries included', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    playHomes(8, () => ({ content: 'Summary of the first turn: the well-kept secret.' }))
    const { body } = await startAgentRun(key.key, { goal: 'List the homes of the old town.', model: SMALL })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ status: 'completed' })
    expect((await readSteps(key.key, body.jobId)).some(({ kind }) => kind === 'summary')).toBe(true)

    const ask = async (goal: string, historyTurnLimit?: number) => {
      const asked: AskedModel[] = []
      upstream.play(
        playAgentModel((call) => {
          asked.push(call)
          return { content: isSummaryCall(call) ? 'Summary again.' : `Answer to: ${goal}` }
        }),
      )
      const fields = { goal, model: LARGE, conversationId: body.jobId, ...(historyTurnLimit && { historyTurnLimit }) }
      expect((await startAgentRun(key.key, fields)).status).toBe(202)
      expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ status: 'completed' })
      return promptTextOf(asked.at(-1) as AskedModel)
    }
    const alone = await ask('Second goal.', 1)
    expect(alone).toContain('Second goal.')
    for (const old of ['old town', 'home-', 'well-kept secret', 'Summary of what happened', 'All homes'])
      expect(alone).not.toContain(old)
    const two = await ask('Third goal.', 2)
    expect(two).toContain('Answer to: Second goal.')
    for (const old of ['old town', 'home-', 'well-kept secret']) expect(two).not.toContain(old)
    const all = await ask('Fourth goal.')
    for (const old of ['well-kept secret', 'All homes are listed.', 'Second goal.', 'Third goal.'])
      expect(all).toContain(old)
    const job = await untilStatus(key.key, body.jobId, 'completed')
    expect(await chargedTo(owner)).toBe(job.creditsSpent)
  })
})
