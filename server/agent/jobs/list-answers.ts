import { prisma } from '../../db'
import type { JobAnswerView } from './turn-view'

/**
 * What was answered in a job, by whom, in order of the steps that asked. Other owners' jobs have
 * none.
 */
export async function listAnswers(ownerId: number, jobId: string): Promise<JobAnswerView[]> {
  const answers = await prisma().answer.findMany({ where: { jobId, job: { ownerId } }, orderBy: { index: 'asc' } })
  return answers.map(({ index, approved, feedback, keyId, answeredBy, at }) => ({
    ...{ index, approved, feedback, keyId, answeredBy },
    answeredAt: at.toISOString(),
  }))
}
