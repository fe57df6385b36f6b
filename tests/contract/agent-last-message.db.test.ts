import { describe, expect, it } from 'vitest'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, contentOf, playAgentModel, promptTextOf } from '../support/agent-model'
import { chargedTo, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const searches = ['bitcoin', 'ethereum', 'tether', 'solana', 'tron', 'cardano', 'dogecoin', 'monero'].map((coin) => ({
  name: 'web_search',
  arguments: { query: `${coin} news` },
}))
const noteIn = ({ messages }: AskedModel) =>
  contentOf(messages.at(-1) ?? {})
    .split('\n')
    .at(-1) ?? ''
const isWrapUp = ({ tools }: AskedModel) => tools.length === 0

/** A run of a conversation with a limit, against a model that answers so. */
async function runWithin(limit: number, answer: Parameters<typeof playAgentModel>[0]) {
  const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: limit })
  const asked: AskedModel[] = []
  upstream.play(
    playAgentModel((call) => {
      asked.push(call)
      return answer(call)
    }),
  )
  const { body } = await startAgentRun(key.key, { goal: 'Compare the news of eight coins.', model: 'upstream/one' })
  const job = await untilStatus(key.key, body.jobId, ...over)
  const steps = await readSteps(key.key, body.jobId)
  expect(await chargedTo(owner)).toBe(job.creditsSpent)
  expect(Number(job.creditsSpent)).toBeLessThanOrEqual(limit)
  return { job, steps, asked }
}

const searchFirst = ({ messages }: AskedModel) => !messages.some(({ role }) => role === 'tool')

describe('a message after which no other can be paid', () => {
  it('says so before it is answered, with the words that it may have', async () => {
    const { job, asked } = await runWithin(150, (call) => {
      if (isWrapUp(call)) return { content: 'Summed up.' }
      return searchFirst(call) ? { calls: searches } : { content: 'The whole report.' }
    })
    expect(asked).toHaveLength(2)
    expect(noteIn(asked[0] as AskedModel)).toContain(
      'One more can be paid after it: make the calls that the answer still needs now',
    )
    expect(noteIn(asked[1] as AskedModel)).toMatch(
      /This one costs about \d+\. Finish now: no message after it can be paid\. Answer with what is known, without a call and in at most [\d,]+ words/,
    )
    expect(job).toMatchObject({ status: 'completed', result: 'The whole report.', budget: { reached: false } })
  })
})

describe('an answer that the credits cut in mid-word', () => {
  const begun = `${'Bitcoin rose by two percent, as [the news](https://news.example/bitcoin) has it. '.repeat(20)}Solana: [Sola`

  it('is finished from the reserve: whole sentences, the rest, and what is left undone', async () => {
    const { job, steps, asked } = await runWithin(170, (call) => {
      if (isWrapUp(call)) return { content: 'Solana fell.\n\n## Left undone\n- Monero.\n\nCalls left: 1' }
      return searchFirst(call) ? { calls: searches } : { content: begun, finishReason: 'length' }
    })
    expect(job).toMatchObject({ status: 'completed', budget: { reached: true, stoppedBy: 'conversation' } })
    const result = String(job.result)
    expect(result).toContain('as [the news](https://news.example/bitcoin) has it.\n\nSolana fell.')
    expect(result).not.toContain('[Sola\n')
    expect(result).toMatch(/## Left undone\n- Monero\.\n\n_.*the spend limit of this conversation, 170 credits/s)
    expect(result).toMatch(/What was left undone would cost about \d+ (to \d+ )?credits more/)
    expect(steps.at(-1)).toMatchObject({ kind: 'wrap_up', error: null })
    expect(steps.at(-1)?.creditsCharged).toBeGreaterThan(0)
    const last = asked.at(-1) as AskedModel
    expect(contentOf(last.messages[0] ?? {})).toMatch(/Write the rest of it .* in at most \d+ words/)
    expect(promptTextOf(last)).toContain('Bitcoin rose by two percent')
  })

  it('is a whole short answer where hardly anything of it was written', async () => {
    const { job } = await runWithin(170, (call) => {
      if (isWrapUp(call)) return { content: 'Bitcoin rose, Solana fell.\n\nCalls left: 0' }
      return searchFirst(call) ? { calls: searches } : { content: 'Here is the rep', finishReason: 'length' }
    })
    expect(job.result).toMatch(/^Bitcoin rose, Solana fell\.\n\n_/)
  })

  it('ends after a whole sentence where the rest is cut too', async () => {
    const { job } = await runWithin(170, (call) => {
      if (isWrapUp(call)) return { content: 'Bitcoin rose. Solana fell. Tro', finishReason: 'length' }
      return searchFirst(call) ? { calls: searches } : { content: '', calls: searches }
    })
    expect(job.result).toMatch(/^Bitcoin rose\. Solana fell\.\n\n_/)
  })
})

describe('the final summary', () => {
  it('reads the results as they are, addresses included, as far as the credits that are left pay', async () => {
    let round = 0
    const { job, steps, asked } = await runWithin(190, (call) => {
      if (isWrapUp(call)) return { content: 'Summed up.' }
      round++
      return {
        calls: searches.map((search) => ({
          ...search,
          arguments: { query: `${round} ${search.arguments.query}` },
        })),
      }
    })
    expect(job.budget).toMatchObject({ reached: true })
    const record = promptTextOf(asked.at(-1) as AskedModel)
    const rows = steps.flatMap(({ output }) => (output?.rows ?? []) as { url: string; title: string }[])
    expect(rows.length).toBeGreaterThan(20)
    const shown = rows.filter(({ url }) => record.includes(url))
    expect(shown.length).toBeGreaterThan(rows.length / 3)
    for (const url of record.match(/https?:[^\s",)\]\\…]+…?/g) ?? []) expect(rows.map((row) => row.url)).toContain(url)
    expect(steps.at(-1)?.creditsCharged).toBeGreaterThan(20)
  })
})
