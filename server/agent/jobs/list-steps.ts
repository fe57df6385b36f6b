import type { Step } from '../../../prisma/generated/client'
import { prisma } from '../../db'
import { invalidCursor } from '../../errors'
import { isUuid } from '../../kit/id'
import { StepKind, type StepList, type StepListRequest, type StepView } from '../shape'
import { jobNotFound } from './read-job'

/** A step as the API returns it. */
const viewStep = (step: Step): StepView => ({
  index: step.index,
  runId: step.runId,
  kind: StepKind.parse(step.kind),
  name: step.name,
  creditsCharged: Number(step.charged),
  requestId: step.holdId,
  input: step.input,
  output: step.output,
  error: step.error as StepView['error'],
  startedAt: step.startedAt.toISOString(),
  endedAt: step.endedAt.toISOString(),
})

/** The steps of a job after an index, in order. */
export async function stepsAfter(
  ownerId: number,
  jobId: string,
  page: { after: number; limit: number },
): Promise<StepView[]> {
  const rows = await prisma().step.findMany({
    where: { jobId, index: { gt: page.after }, job: { ownerId } },
    orderBy: { index: 'asc' },
    take: page.limit,
  })
  return rows.map(viewStep)
}

/**
 * The steps of a job, oldest first, over all turns. Throws `not_found`, also for another owner's
 * job.
 */
export async function listSteps(ownerId: number, jobId: string, { limit, cursor }: StepListRequest): Promise<StepList> {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw invalidCursor()
  const job = isUuid(jobId)
    ? await prisma().job.findFirst({ where: { id: jobId, ownerId }, select: { id: true } })
    : null
  if (!job) throw jobNotFound()
  const steps = await stepsAfter(ownerId, jobId, { after: Number(cursor ?? -1), limit: limit + 1 })
  const page = steps.slice(0, limit)
  return { steps: page, nextCursor: steps.length > limit ? String(page.at(-1)?.index) : null }
}
