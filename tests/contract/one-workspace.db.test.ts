import { expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { withSandbox } from '../support/api'
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
  const list = await prisma().siteVersion.findMany({ where: { slug }, orderBy: { version: 'asc' } })
  expect(list.at(-1)?.files).toMatchObject([{ path: 'index.html' }])
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
    ...[1, 2].map(() => expect.stringContaining('Give either files or folder')),
  ])
})
