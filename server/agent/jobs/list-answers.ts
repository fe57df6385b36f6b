import { prisma } from '../../db'
import type { JobAnswerView } from './turn-view'

/**
 * What people answered in a job, in order of the steps they answered. Other owners' jobs have none.
 */
export async function listAnswers(ownerId: number, jobId: string): Promise<JobAnswerView[]> {
  const answers = await prisma().answer.findMany({
    where: { jobId, job: { ownerId } },
    orderBy: { index: 'asc' },
  })
  const ids = [...new Set(answers.flatMap(({ keyId }) => keyId ?? []))]
  const keys = await prisma().key.findMany({ where: { ownerId, id: { in: ids } }, select: { id: true, name: true } })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return answers.map(({ index, approved, feedback, keyId, at }) => ({
    index,
    approved,
    feedback,
    keyName: keyId === null ? null : (names.get(keyId) ?? 'deleted'),
    answeredAt: at.toISOString(),
  }))
}
