import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withTemporaryStorage } from '../support/temporary-storage'
import { withWorker } from '../support/worker'

withTemporaryStorage()
const sandbox = withSandbox()
withWorker()

const over = ['completed', 'failed', 'cancelled', 'awaiting_input'] as const
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })

/** Starts a run of these calls, and waits until it asks or ends. */
async function runOf(key: string, ...turns: object[]) {
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns: [...turns, { text: 'Done.' }] }) })
  return untilStatus(key, body.jobId, ...over)
}

const lines = (count: number, more = '') => Array.from({ length: count }, (_, i) => `<p>${i}</p>`).join('\n') + more

/** A live site of two files, and a run that waits to replace it. */
async function replacing(files: { path: string; content: string }[]) {
  const { key } = await makeCaller(50_000, { agent: true })
  const slug = `shop-${key.id}`
  const before = [
    { path: 'index.html', content: lines(50) },
    { path: 'about.html', content: 'About us' },
  ]
  await runOf(key.key, call('site_publish', { slug, files: before }))
  const asked = await runOf(key.key, call('site_publish', { slug, files }))
  const live = () => prisma().siteVersion.findFirstOrThrow({ where: { slug }, orderBy: { version: 'desc' } })
  return { key: key.key, slug, asked, live, approval: (asked.awaitingInput as { approval: object }).approval }
}

describe('the approval of a site', () => {
  it('names what would be destroyed, and has the lines that change', async () => {
    const { approval } = await replacing([{ path: 'index.html', content: 'Hi' }])
    expect(approval).toMatchObject({
      summary: expect.stringMatching(/It removes about\.html\. The site shrinks from \d+ to 2 bytes\.$/),
      effect: {
        kind: 'files',
        total: 2,
        files: [
          { path: 'about.html', change: 'removed', bytesBefore: 8, bytesAfter: null },
          { path: 'index.html', change: 'changed', bytesAfter: 2, diff: expect.stringContaining('-<p>49</p>') },
        ],
      },
    })
  })

  it('has the site as it is and as it would be, which is what becomes public', async () => {
    const { key, slug, asked, approval } = await replacing([{ path: 'index.html', content: 'Hi' }])
    const { pages } = (approval as { effect: { pages: { before: string; after: string } } }).effect
    const page = async (url: string) => (await send(new URL(url).pathname)).text
    expect([await page(pages.before), await page(pages.after)]).toEqual([lines(50), 'Hi'])
    const live = async () => (await prisma().site.findUniqueOrThrow({ where: { slug } })).live
    expect(await live()).toBe(1)
    await sendAnswer(key, asked.jobId, { approved: true })
    await untilStatus(key, asked.jobId, 'completed')
    expect(await live()).toBe(2)
    expect(await prisma().siteVersion.count({ where: { slug } })).toBe(2)
    expect(await page(pages.before)).toBe('Hi')
  })

  it('can be given without a file, of which the run learns', async () => {
    const files = [
      { path: 'index.html', content: lines(50, '\n<p>new</p>') },
      { path: 'about.html', content: 'About us' },
      { path: 'spam.html', content: 'Buy now' },
    ]
    const { key, asked, live, approval } = await replacing(files)
    expect(approval).toMatchObject({
      effect: {
        files: [
          { path: 'index.html', diff: expect.stringMatching(/^@@ [^@]+ @@\n <p>47<\/p>\n.*\+<p>new<\/p>/s) },
          { change: 'added' },
        ],
      },
    })
    const unknown = await sendAnswer(key, asked.jobId, { approved: true, without: ['other.html'] })
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining('has no file other.html')])
    expect((await sendAnswer(key, asked.jobId, { approved: false, without: ['spam.html'] })).status).toBe(400)
    await sendAnswer(key, asked.jobId, { approved: true, without: ['spam.html'] })
    await untilStatus(key, asked.jobId, 'completed')
    expect(((await live()).files as { path: string }[]).map(({ path }) => path)).toEqual(['about.html', 'index.html'])
    const sent = await (await fetch(`${sandbox.url()}/llm/__last`)).text()
    expect(sent).toContain('The person changed this call before approving it.')
    const [published] = (await readSteps(key, asked.jobId)).filter(({ name }) => name === 'site_publish')
    expect(published?.input.files).toHaveLength(2)
  })
})

it('the approval of a dataset has the rows that go and come, and takes other parameters', async () => {
  const { key } = await makeCaller(50_000, { agent: true })
  const create = (rows: object[]) => call('dataset_create', { name: 'prices', rows })
  await runOf(
    key.key,
    create([
      { coin: 'a', price: 1 },
      { coin: 'b', price: 2 },
    ]),
  )
  const asked = await runOf(
    key.key,
    create([
      { price: 2, coin: 'b' },
      { coin: 'c', price: 3 },
    ]),
  )
  expect(asked.awaitingInput).toMatchObject({
    approval: {
      effect: {
        ...{ kind: 'rows', rowsBefore: 2, rowsAfter: 2, columns: ['coin', 'price'], added: 1, removed: 1 },
        ...{ addedRows: [['c', 3]], removedRows: [['a', 1]] },
      },
    },
  })
  const refused = await sendAnswer(key.key, asked.jobId, { approved: true, edit: { rows: 'none' } })
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'edit.rows' }] } })
  await sendAnswer(key.key, asked.jobId, { approved: true, edit: { name: 'other' } })
  await untilStatus(key.key, asked.jobId, 'completed')
  const { ownerId } = await prisma().key.findUniqueOrThrow({ where: { id: key.id } })
  const datasets = await prisma().dataset.findMany({ where: { ownerId }, orderBy: { name: 'asc' } })
  expect(datasets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
    ['other', 2],
    ['prices', 2],
  ])
})
