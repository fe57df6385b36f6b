import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { prisma } from '../../db'
import { oldPods } from './old-pods'
import { podListFiles } from './pod_list_files'
import { podWriteFile } from './pod_write_file'

const DAY_MS = 86_400_000

it('deletes the files of shells of conversations that ended long ago, and no others', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
  const made = async (status: string, job: number, pod: number) => {
    const agent = await makeTestAgent()
    await agent.run(podWriteFile, { path: 'a', content: 'x' })
    await prisma().job.update({ where: { id: agent.jobId }, data: { status, updatedAt: daysAgo(job) } })
    await prisma().pod.update({ where: { jobId: agent.jobId }, data: { updatedAt: daysAgo(pod) } })
    return agent
  }
  const old = await made('completed', 40, 40)
  const kept = [await made('completed', 40, 20), await made('completed', 20, 40), await made('running', 40, 40)]
  const task = oldPods(30)
  expect(await task?.count()).toBe(1)
  expect(await task?.step()).toEqual({ deleted: 1, more: false })
  expect(await prisma().pod.count({ where: { jobId: { in: kept.map(({ jobId }) => jobId) } } })).toBe(3)
  // Whoever goes on with the conversation begins with an empty one.
  expect(await old.run(podListFiles)).toMatchObject({ files: [] })
  expect(await oldPods(30)?.count()).toBe(0)
  expect(oldPods(0)).toBeNull()
})
