import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { takeDownSite } from '../../server/sites/take-down'
import { pollJob, readSteps, scriptedGoal, sendAnswer, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withTemporaryStorage } from '../support/temporary-storage'
import { withWorker } from '../support/worker'

withTemporaryStorage()
withSandbox()
withWorker()

const AGENT = { agent: true }
const over = ['completed', 'failed', 'cancelled'] as const
const rows = [{ city: 'Olbia', homes: 480 }]
const call = (name: string, given: object) => ({ name, arguments: given })
const search = call('web_search', { query: 'toll roads' })

async function runTurns(key: string, turns: object[], more: object = {}) {
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), ...more })
  return untilStatus(key, body.jobId, 'awaiting_input', ...over)
}

/** The sums that a poll should show, from the steps themselves. */
async function sumsOf(key: string, jobId: unknown) {
  const steps = await readSteps(key, jobId)
  const sum = (name: string) => steps.reduce((total, { output }) => total + Number(output?.[name] ?? 0), 0)
  const [inputTokens, outputTokens, cachedTokens] = ['inputTokens', 'outputTokens', 'cachedTokens'].map(sum)
  return { steps: steps.length, inputTokens, outputTokens, cachedTokens }
}

describe('usage', () => {
  it('is what the whole conversation has used: steps and tokens of every turn, answers and rejections too', async () => {
    const { owner, key } = await makeCaller(20_000, AGENT)
    await runTurns(key.key, [{ toolCalls: [call('dataset_create', { name: 'homes', rows })] }, { text: 'Made.' }])
    const before = await chargedTo(owner)
    const first = await runTurns(key.key, [
      { toolCalls: [search, search] },
      { toolCalls: [call('dataset_create', { name: 'homes', rows })] },
      { text: 'Done.' },
    ])
    expect(first.status).toBe('awaiting_input')
    await sendAnswer(key.key, first.jobId, { approved: false })
    const done = await untilStatus(key.key, first.jobId, ...over)
    expect(done.usage).toEqual(await sumsOf(key.key, first.jobId))
    expect(done.usage).toMatchObject({ steps: 6, inputTokens: expect.any(Number) })
    const next = await runTurns(key.key, [{ text: 'And more.' }], { conversationId: first.jobId })
    expect(next.usage).toEqual(await sumsOf(key.key, first.jobId))
    expect(next.usage).toMatchObject({ steps: 7 })
    expect((await chargedTo(owner)) - before).toBe(next.creditsSpent)
  })

  it('counts the step that a cancelled run had begun', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 700, text: 'Late.' }) })
    await pollUntil('a call', async () => (await prisma().hold.count({ where: { ownerId: owner.id } })) > 0)
    expect((await sendCancel(key.key, body.jobId)).status).toBe(200)
    await pollUntil('its step', async () => (await readSteps(key.key, body.jobId)).length === 1)
    const { body: job } = await pollJob(key.key, body.jobId)
    expect(job).toMatchObject({ status: 'cancelled', usage: await sumsOf(key.key, body.jobId) })
  })
})

describe('artifacts', () => {
  it('are none for a run that made none', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const done = await runTurns(key.key, [{ toolCalls: [search] }, { text: 'Done.' }])
    expect(done.artifacts).toEqual([])
  })

  it('are what the run made, each once and with where it is', async () => {
    const { owner, key } = await makeCaller(20_000, AGENT)
    const done = await runTurns(key.key, [
      {
        toolCalls: [
          call('dataset_create', { name: 'homes', rows }),
          call('site_publish', { slug: 'toll-report', files: [{ path: 'index.html', content: '<h1>Tolls</h1>' }] }),
          call('image_generate', { prompt: 'A toll gate\nat dusk' }),
        ],
      },
      {
        toolCalls: [
          call('dataset_append', { name: 'homes', rows }),
          call('dataset_append', { name: 'homes', rows }),
          call('dataset_export', { name: 'homes' }),
          call('dataset_append', { name: 'no_such', rows }),
        ],
      },
      { text: 'Done.' },
    ])
    expect(done.status).toBe('completed')
    const hosted = (end: string) =>
      expect.stringMatching(new RegExp(`^${env().PUBLIC_URL}/files/[0-9a-f]{32}\\.${end}$`))
    expect(done.artifacts).toEqual([
      { kind: 'site', id: 'toll-report', name: 'toll-report', url: `${env().PUBLIC_URL}/sites/toll-report/` },
      { kind: 'image', id: expect.any(String), name: 'A toll gate', url: hosted('png') },
      { kind: 'dataset', id: 'homes', name: 'homes', url: `${env().PUBLIC_URL}/api/v1/datasets/homes?format=csv` },
      { kind: 'file', id: expect.any(String), name: 'homes.csv', url: hosted('csv') },
    ])
    const [, image] = done.artifacts as { url: string }[]
    expect((await send(new URL(image?.url ?? '').pathname)).status).toBe(200)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('are listed while they are there: not a deleted dataset, nor a site that was taken down', async () => {
    const { owner, key } = await makeCaller(20_000, AGENT)
    const done = await runTurns(key.key, [
      {
        toolCalls: [
          call('dataset_create', { name: 'gone', rows }),
          call('dataset_create', { name: 'kept', rows }),
          call('site_publish', { slug: 'gone-site', files: [{ path: 'index.html', content: 'x' }] }),
        ],
      },
      { text: 'Done.' },
    ])
    expect(done.artifacts).toHaveLength(3)
    await prisma().dataset.delete({ where: { ownerId_name: { ownerId: owner.id, name: 'gone' } } })
    await prisma().site.update({ where: { slug: 'gone-site' }, data: { live: null } })
    const { body } = await pollJob(key.key, done.jobId)
    expect((body.artifacts as { id: string }[]).map(({ id }) => id)).toEqual(['kept'])
  })

  it('have a site of which there is only a preview, at the address of that', async () => {
    const { owner, key } = await makeCaller(20_000, AGENT)
    const files = [{ path: 'index.html', content: 'x' }]
    const done = await runTurns(key.key, [
      { toolCalls: [call('site_publish', { slug: 'seen-first', files, preview: true })] },
      { text: 'Look at it.' },
    ])
    const [shown] = done.artifacts as { url: string }[]
    expect(shown).toMatchObject({
      kind: 'site',
      id: 'seen-first',
      url: expect.stringMatching(/\/sites\/p-[0-9a-f]{32}\/$/),
    })
    expect((await send(new URL(shown?.url ?? '').pathname)).status).toBe(200)
    await takeDownSite(owner.id, { slug: 'seen-first' })
    expect((await pollJob(key.key, done.jobId)).body.artifacts).toEqual([])
  })
})
