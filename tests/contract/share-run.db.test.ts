import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicCaller } from '../../server/api/caller'
import { prisma } from '../../server/db'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { signUpSomebody } from '../support/signed-in'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
const SECRET = 'the code is 4711'
const shared = (url: string) => publicCaller().visitor.sharedRun(url.split('/').at(-1) ?? '')

let somebody: Awaited<ReturnType<typeof signUpSomebody>>
let key: string
let jobId: string
let runId: string
beforeAll(async () => {
  somebody = await signUpSomebody()
  key = (await somebody.api.keys.create({ name: 'k', agent: true })).key
  const slug = `shared-${randomUUID().slice(0, 8)}`
  const turns = [
    call('dataset_create', { name: 'private_rows', rows: [{ note: SECRET }] }),
    call('site_publish', { slug, files: [{ path: 'index.html', content: 'x' }] }),
    { text: 'All **done**.' },
  ]
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), permissions: { sites: [slug] } })
  jobId = String(body.jobId)
  expect(await untilStatus(key, jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
  runId = String(body.runId)
})

describe('a link of a completed run', () => {
  it('shows the result, the names of steps and what is public, and no input, dataset, goal or cost', async () => {
    const { url } = await somebody.api.jobs.share({ runId, shows: [] })
    const run = await shared(url)
    expect(run).toMatchObject({ goal: null, credits: null, result: 'All **done**.' })
    expect(run?.steps.map(({ name }) => name)).toContain('dataset_create')
    expect(run?.artifacts.map(({ kind }) => kind)).toEqual(['site'])
    const text = JSON.stringify(run)
    for (const hidden of [SECRET, 'private_rows', jobId, runId, somebody.email]) expect(text).not.toContain(hidden)
  })

  it('shows goal and cost where that was chosen, by the same link', async () => {
    const { url } = await somebody.api.jobs.share({ runId, shows: [] })
    expect((await somebody.api.jobs.share({ runId, shows: ['goal', 'cost'] })).url).toBe(url)
    const { body } = await send(`/api/v1/agent/${jobId}`, { key })
    const run = await shared(url)
    expect(run?.credits).toBe(body.creditsSpent)
    expect(run?.goal).toContain('private_rows')
    const { turns } = await somebody.api.jobs.get({ jobId })
    expect(turns[0]?.share).toEqual({ url, shows: ['goal', 'cost'] })
  })

  it('is of that run alone: a later turn of the conversation is not shown', async () => {
    const { url } = await somebody.api.jobs.share({ runId, shows: ['cost'] })
    const before = await shared(url)
    await startAgentRun(key, { goal: scriptedGoal({ text: 'A secret of later.' }), conversationId: jobId })
    await untilStatus(key, jobId, 'completed', 'failed')
    expect(await shared(url)).toEqual(before)
  })

  it('leads nowhere once it is withdrawn, and another one is another link', async () => {
    const { url } = await somebody.api.jobs.share({ runId, shows: [] })
    await somebody.api.jobs.unshare({ runId })
    expect(await shared(url)).toBeNull()
    const again = await somebody.api.jobs.share({ runId, shows: [] })
    expect(again.url).not.toBe(url)
    expect(await shared(again.url)).not.toBeNull()
  })

  it('does not exist for what was guessed', async () => {
    for (const token of ['', 'x', 'x'.repeat(32), runId, `${'x'.repeat(31)}'`]) expect(await shared(token)).toBeNull()
  })
})

describe('refusals', () => {
  it('another account’s run is not found, and one that is not completed is a conflict', async () => {
    const stranger = await signUpSomebody()
    await expect(stranger.api.jobs.share({ runId, shows: [] })).rejects.toThrow('There is no such run')
    await expect(stranger.api.jobs.unshare({ runId })).rejects.toThrow('There is no such run')
    await expect(somebody.api.jobs.share({ runId: 'x', shows: [] })).rejects.toThrow('There is no such run')
    await prisma().turn.update({ where: { runId }, data: { status: 'failed', shareToken: null } })
    await expect(somebody.api.jobs.share({ runId, shows: [] })).rejects.toThrow('Only a run that is completed')
    await prisma().turn.update({ where: { runId }, data: { status: 'completed' } })
  })
})
