import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withTemporaryStorage } from '../support/temporary-storage'
import { withWorker } from '../support/worker'

withTemporaryStorage()
withSandbox()
withWorker()

const over = ['completed', 'failed', 'cancelled', 'awaiting_input'] as const
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
const shell = (command: string) => call('pod_run', { command, timeoutS: 120 })
const attached = (name: string, text: string) => ({
  name,
  data: `data:text/csv;base64,${Buffer.from(text).toString('base64')}`,
})

it('an attached file is in the shell, Python reads it, and a folder of the shell becomes a site', async () => {
  const { key } = await makeCaller(50_000, { agent: true })
  const slug = `sales-${key.id}`
  const program = `import csv
rows = list(csv.DictReader(open("uploads/sales.csv")))
print(sum(int(row["n"]) for row in rows), file=open("site/index.html", "w"))`
  const make = `mkdir site; echo draft > site/notes.txt; python3 -c '${program}'; cat site/index.html`
  const publish = call('site_publish', { slug, folder: 'site', exclude: ['notes.txt'] })
  const goal = scriptedGoal({ turns: [shell(make), publish, { text: 'Done.' }] })
  const { body } = await startAgentRun(key.key, { goal, attachments: [attached('sales.csv', 'n\n20\n22\n')] })
  await untilStatus(key.key, body.jobId, ...over)
  const [ran, published] = (await readSteps(key.key, body.jobId)).filter(({ kind }) => kind === 'tool')
  expect(ran?.output).toMatchObject({ stdout: '42\n', stderr: '', exitCode: 0 })
  expect(published?.output).toMatchObject({ version: 1 })
  const { files } = await prisma().siteVersion.findFirstOrThrow({ where: { slug } })
  expect(files).toMatchObject([{ path: 'index.html', bytes: 3 }])

  // The next run may read what people attached, and asks before it removes it.
  const next = scriptedGoal({
    turns: [shell('rm uploads/sales.csv'), shell('echo x > site/spam.html'), publish, { text: 'Done.' }],
  })
  await startAgentRun(key.key, {
    goal: next,
    conversationId: body.jobId,
    attachments: [attached('more.csv', 'n\n1\n')],
  })
  const asked = await untilStatus(key.key, body.jobId, ...over)
  expect(asked.awaitingInput).toMatchObject({ approval: { command: 'rm uploads/sales.csv' } })
  await sendAnswer(key.key, body.jobId, { approved: false })
  const replaced = await untilStatus(key.key, body.jobId, ...over)
  expect(replaced.awaitingInput).toMatchObject({
    approval: { effect: { files: [{ path: 'spam.html', change: 'added' }] } },
  })
  await sendAnswer(key.key, body.jobId, { approved: true, without: ['spam.html'] })
  await untilStatus(key.key, body.jobId, 'completed')
  // Without that file nothing changes: what was shown stays a preview.
  expect(await prisma().site.findUniqueOrThrow({ where: { slug } })).toMatchObject({ live: 1 })
})

it('a folder that is not there, and both or none of files and folder, are refused', async () => {
  const { key } = await makeCaller(50_000, { agent: true })
  const slug = `none-${key.id}`
  const files = [{ path: 'index.html', content: 'x' }]
  const turns = [
    call('site_publish', { slug, folder: 'nowhere' }),
    call('site_publish', { slug }),
    call('site_publish', { slug, files, folder: 'a' }),
  ]
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns: [...turns, { text: 'Done.' }] }) })
  await untilStatus(key.key, body.jobId, ...over)
  const errors = (await readSteps(key.key, body.jobId))
    .filter(({ kind }) => kind === 'tool')
    .map(({ error }) => error?.message)
  expect(errors).toEqual([
    expect.stringContaining('There is no folder /home/user/nowhere.'),
    expect.stringContaining('Give files or folder'),
    expect.stringContaining('Give either files or folder'),
  ])
})

it('rows of a dataset are a file of the shell, and a file of the shell is a dataset, past the model', async () => {
  const { key, owner } = await makeCaller(50_000, { agent: true })
  const rows = Array.from({ length: 300 }, (_, i) => ({ city: `=City ${i}`, homes: i }))
  const program = `import csv, json
rows = list(csv.DictReader(open("homes.csv")))
json.dump([{"city": row["city"], "twice": 2 * int(row["homes"])} for row in rows], open("twice.json", "w"))`
  const turns = [
    call('dataset_create', { name: 'homes', rows }),
    call('dataset_export', { name: 'homes', toFile: 'homes.csv' }),
    shell(`head -2 homes.csv; python3 -c '${program}'`),
    call('dataset_create', { name: 'twice', fromFile: 'twice.json' }),
    call('dataset_append', { name: 'homes', fromFile: '~/homes.csv' }),
    call('dataset_create', { name: 'none', fromFile: 'nowhere.csv' }),
    call('dataset_query', { sql: 'SELECT count(*) AS n, sum(twice) AS twice, min(city) AS city FROM twice' }),
    { text: 'Done.' },
  ]
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
  await untilStatus(key.key, body.jobId, ...over)
  const [, exported, ran, made, more, none, asked] = (await readSteps(key.key, body.jobId)).filter(
    ({ kind }) => kind === 'tool',
  )
  expect(exported?.output).toMatchObject({ url: null, file: '/home/user/homes.csv', rowCount: 300 })
  expect(ran?.output).toMatchObject({ stdout: 'city,homes\n=City 0,0\n', exitCode: 0 })
  expect(made?.output).toMatchObject({ rowCount: 300, replaced: false })
  expect(more?.output).toMatchObject({ rowCount: 600 })
  expect(none?.error?.message).toContain('There is no folder /home/user/nowhere.csv')
  expect(asked?.output).toMatchObject({ rows: [{ n: 300, twice: 299 * 300, city: '=City 0' }] })
  // No link to the rows was made.
  expect(await prisma().file.count({ where: { ownerId: owner.id } })).toBe(0)
})

it('files of the shell that a result names are the run’s: shown, listed and read at an address nobody guesses', async () => {
  const { key } = await makeCaller(50_000, { agent: true })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
  const turns = [
    shell(`mkdir out; echo '${svg}' > out/chart.svg; printf 'n\n1\n' > report.csv; echo x > other.txt`),
    { text: 'The chart is out/chart.svg, the rows are in ~/report.csv.' },
  ]
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
  const done = await untilStatus(key.key, body.jobId, 'completed')
  const artifacts = (done.artifacts as { name: string; url: string }[]).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(artifacts).toMatchObject([
    { kind: 'image', name: 'chart.svg', url: expect.stringMatching(/\/files\/[0-9a-f]{32}\.svg$/) },
    { kind: 'file', name: 'report.csv', url: expect.stringMatching(/\/files\/[0-9a-f]{32}\.csv$/) },
  ])
  const [chart, report] = artifacts.map(({ url }) => new URL(url).pathname)
  const shown = await send(String(chart), { method: 'GET' })
  expect([shown.text, shown.headers.get('content-type')]).toEqual([`${svg}\n`, 'image/svg+xml; charset=utf-8'])
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(shown.headers.get('content-disposition')).toContain('attachment')
  expect((await send(String(report), { method: 'GET' })).text).toBe('n\n1\n')
  const { body: listed } = await send('/api/v1/agent/files', { key: key.key })
  expect(listed.files).toHaveLength(2)
})

describe('a site that is changed', () => {
  const index = '<h1>Homes</h1><p>480 homes</p>'
  const files = [
    { path: 'index.html', content: index },
    { path: 'a.css', content: 'h1{}' },
    { path: 'old.html', content: 'old' },
  ]
  const page = (url: string) => send(new URL(url).pathname, { method: 'GET' })

  it('keeps what is not named, is looked at before it is public, and asks with the lines that change', async () => {
    const { key } = await makeCaller(50_000, { agent: true })
    const slug = `kept-${key.id}`
    const change = {
      ...{ slug, keep: true, remove: ['old.html'], files: [{ path: 'new.html', content: 'new' }] },
      edits: [{ path: 'index.html', find: '480 homes', replace: '$& 12 homes' }],
    }
    const turns = [
      call('site_publish', { slug, files }),
      call('site_publish', { ...change, preview: true }),
      call('site_publish', change),
      { text: 'Done.' },
    ]
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
    const asked = await untilStatus(key.key, body.jobId, ...over)
    const [, shown] = (await readSteps(key.key, body.jobId)).filter(({ kind }) => kind === 'tool')
    expect(shown?.output).toMatchObject({
      isPublic: false,
      version: 2,
      replaced: null,
      added: 1,
      changed: 1,
      removed: 1,
    })
    const { url } = (shown?.output ?? {}) as { url: string }
    const preview = await page(url)
    expect(preview.text).toContain('$& 12 homes')
    expect(preview.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect((await page(`${url}a.css`)).text).toBe('h1{}')
    expect((await page(`${url}old.html`)).status).toBe(404)
    const live = await page(url.replace(/p-[0-9a-f]{32}/, slug))
    expect(live.text).toBe(index)
    expect(live.headers.get('x-robots-tag')).toBeNull()
    expect(asked.awaitingInput).toMatchObject({
      approval: {
        summary: expect.stringContaining('1 file added, 1 changed, 1 removed. It removes old.html.'),
        effect: {
          files: [
            { path: 'old.html' },
            { path: 'index.html', diff: expect.stringContaining('$& 12 homes') },
            { path: 'new.html' },
          ],
        },
      },
    })
    await sendAnswer(key.key, body.jobId, { approved: true })
    await untilStatus(key.key, body.jobId, 'completed')
    expect((await page(url.replace(/p-[0-9a-f]{32}/, slug))).text).toContain('$& 12 homes')
    const { body: sites } = await send('/api/v1/sites', { key: key.key })
    expect(sites).toMatchObject({
      sites: [{ slug, live: 2, versions: [{ preview: url }, { preview: null }] }],
    })
    await send(`/api/v1/sites/${slug}/take-down`, { key: key.key, body: {} })
    expect((await page(url)).status).toBe(404)
  })

  it('is refused with what is wrong, and nothing is published', async () => {
    const { key } = await makeCaller(50_000, { agent: true })
    const slug = `wrong-${key.id}`
    const edit = (path: string, find: string) =>
      call('site_publish', { slug, keep: true, edits: [{ path, find, replace: 'x' }] })
    const turns = [
      call('site_publish', { slug, keep: true, files }),
      call('site_publish', { slug, files }),
      edit('index.html', 'h1'),
      edit('index.html', 'nowhere'),
      edit('none.html', 'x'),
      call('site_publish', { slug, edits: [{ path: 'index.html', find: '480', replace: 'x' }] }),
      call('site_publish', { slug, keep: true, files, remove: ['a.css'] }),
      call('site_publish', { slug: `p-${'0'.repeat(32)}`, files }),
      { text: 'Done.' },
    ]
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
    await untilStatus(key.key, body.jobId, ...over)
    const errors = (await readSteps(key.key, body.jobId))
      .filter(({ kind }) => kind === 'tool')
      .map(({ error }) => error?.message)
    expect(errors).toEqual([
      expect.stringContaining('has no live version to change'),
      undefined,
      expect.stringContaining('index.html has "h1" 2 times: it must be once'),
      expect.stringContaining('index.html has "nowhere" 0 times'),
      expect.stringContaining('has no file none.html. It has: a.css, index.html, old.html'),
      expect.stringContaining('set keep'),
      expect.stringContaining('a.css is given or edited too'),
      expect.stringContaining('is a reserved name'),
    ])
    expect(await prisma().siteVersion.count({ where: { slug } })).toBe(1)
  })
})
