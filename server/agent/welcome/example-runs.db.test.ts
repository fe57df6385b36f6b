import { expect, it } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { makeOwner } from '../../../tests/support/owners'
import { pollUntil } from '../../../tests/support/poll-until'
import { withWorker } from '../../../tests/support/worker'
import { uuidv7 } from '../../kit/id'
import { answerJob } from '../jobs/answer'
import { getJob } from '../jobs/status'
import type { JobView } from '../shape'
import { listExamples } from './example-goals'
import { startExample } from './start-example'

withSandbox()
withWorker()

/** Runs an example to its end, as an owner who agrees to everything. Returns what it asked, too. */
async function run(id: string): Promise<{ job: JobView; asked: string[]; usual: number | null }> {
  const owner = await makeOwner(10_000)
  const example = (await listExamples(owner.id)).find((one) => one.id === id)
  const { jobId } = await startExample(owner.id, { id, idempotencyKey: uuidv7() })
  const asked: string[] = []
  for (;;) {
    const job = await pollUntil('the end of the run', async () => {
      const now = await getJob(owner.id, jobId)
      return now.status === 'running' ? null : now
    })
    if (!job.awaitingInput) return { job, asked, usual: example?.usualCredits ?? null }
    asked.push(job.awaitingInput.kind)
    const { toolCallId } = job.awaitingInput
    await answerJob({ ownerId: owner.id, keyId: null, grants: null }, jobId, { approved: true, toolCallId })
  }
}

it.each([
  ['research', [], []],
  ['homes', [], ['dataset']],
  ['site', ['plan', 'approval'], ['site']],
  ['image', [], ['image']],
])('the example %s completes, makes what it shows, and costs about what its button says', async (id, asks, made) => {
  const { job, asked, usual } = await run(id)
  expect(job.status, String(job.result)).toBe('completed')
  expect(asked).toEqual(asks)
  expect(job.artifacts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(made))
  expect(job.creditsSpent).toBeGreaterThan((usual ?? 0) * 0.6)
  expect(job.creditsSpent).toBeLessThan((usual ?? 0) * 1.5)
})
