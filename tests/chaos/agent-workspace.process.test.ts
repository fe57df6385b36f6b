import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process'

withSandbox()
let workers: WorkerProcess[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
  workers = []
})

async function startWorker(): Promise<WorkerProcess> {
  const worker = startWorkerProcess()
  workers.push(worker)
  await worker.ready
  return worker
}

const call = (name: string, args: object) => ({ delayMs: 100, toolCalls: [{ name, arguments: args }] })
const PATCHES = 12

it('a worker killed while Python works, and others while a site is patched: the run goes on, each step once', async () => {
  const { owner, key } = await makeCaller(1_000_000, { agent: true, agentRunBudgetCredits: 100_000 })
  const slug = `killed-${key.id}`
  const program = `import time
total = sum(int(line) for line in open("uploads/sales.csv").read().split()[1:])
time.sleep(5)
open("chart.svg", "w").write("<svg xmlns=\\"http://www.w3.org/2000/svg\\"><!-- %d --></svg>" % total)`
  const edit = (n: number) => ({ path: 'index.html', find: `Week ${n}.`, replace: `Week ${n + 1}.` })
  const goal = scriptedGoal({
    turns: [
      call('pod_run', { command: `python3 -c '${program}'; cat chart.svg`, timeoutS: 60 }),
      call('site_publish', { slug, files: [{ path: 'index.html', content: '<p>Week 0.</p>' }] }),
      ...Array.from({ length: PATCHES }, (_, n) => call('site_publish', { slug, keep: true, edits: [edit(n)] })),
      { text: 'The chart is chart.svg.' },
    ],
  })
  let worker = await startWorker()
  const attachments = [
    { name: 'sales.csv', data: `data:text/csv;base64,${Buffer.from('n\n20\n22\n').toString('base64')}` },
  ]
  const { body } = await startAgentRun(key.key, { goal, attachments, permissions: { sites: [slug] } })
  const jobId = String(body.jobId)
  const steps = () => readSteps(key.key, jobId)
  await pollUntil('the call of Python', async () => (await steps()).length > 0)
  await sleep(2_000)
  expect((await steps()).filter(({ kind }) => kind === 'tool')).toEqual([])
  await worker.kill('SIGKILL')
  worker = await startWorker()

  for (const patched of [3, 7]) {
    await pollUntil(`${patched} patches`, async () => (await steps()).length >= 4 + 2 * patched)
    await worker.kill('SIGKILL')
    worker = await startWorker()
  }

  const done = await untilStatus(key.key, jobId, 'completed', 'failed', 'awaiting_input')
  expect(done).toMatchObject({ status: 'completed', result: 'The chart is chart.svg.' })
  const all = await steps()
  expect(all.map(({ index }) => index)).toEqual(all.map((_, i) => i))
  const tools = all.filter(({ kind }) => kind === 'tool')
  expect(tools.map(({ error }) => error)).toEqual(tools.map(() => null))
  expect(tools[0]?.output).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('<!-- 42 -->') })
  expect(tools).toHaveLength(2 + PATCHES)
  const { live } = await prisma().site.findUniqueOrThrow({ where: { slug } })
  expect(live).toBe(1 + PATCHES)
  expect((done.artifacts as { name: string }[]).map(({ name }) => name).sort()).toEqual(['chart.svg', slug])
  expect(await chargedTo(owner)).toBe(Number(done.creditsSpent))
  expect(await findLedgerDifferences()).toEqual([])
})
