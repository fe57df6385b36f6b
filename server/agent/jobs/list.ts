import { shownCustomers } from '../../accounts/customers/names'
import { readSpendLimits } from '../../credits/spend-limit'
import { readPrisma } from '../../db'
import { readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { viewCheckTotals } from '../checks/stored'
import { type JobList, type JobListRequest, JobStatus, RunMode } from '../shape'
import { viewLabels } from './labels'

/**
 * An owner's jobs, newest first, started by any of the owner's keys. New jobs do not move a page's
 * cursor. Throws `invalid_request` for an invalid cursor.
 */
export async function listJobs(ownerId: number, page: JobListRequest): Promise<JobList> {
  const { limit, cursor, status } = page
  const from = readCursor(cursor, isUuid)
  const rows = await readPrisma().job.findMany({
    where: {
      ownerId,
      status,
      ...(from && { OR: [{ createdAt: { lt: from.at } }, { createdAt: from.at, id: { lt: from.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const cut = paginate(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  const [turns, spent] = await Promise.all([
    readPrisma().turn.findMany({ where: { runId: { in: cut.rows.map(({ runId }) => runId) }, ownerId } }),
    readSpendLimits(cut.rows.map(({ id }) => id)),
  ])
  const customers = await shownCustomers(
    ownerId,
    turns.flatMap(({ customerId }) => customerId ?? []),
  )
  const byRun = new Map(turns.map((turn) => [turn.runId, turn]))
  return {
    jobs: cut.rows.map((job) => ({
      jobId: job.id,
      conversationId: job.id,
      title: job.title,
      mode: RunMode.parse(byRun.get(job.runId)?.mode),
      model: byRun.get(job.runId)?.model ?? '',
      status: JobStatus.parse(job.status),
      creditsSpent: spent.get(job.id) ?? 0,
      ...outputOf(byRun.get(job.runId)),
      ...viewCheckTotals(byRun.get(job.runId)?.checks),
      ...viewLabels(byRun.get(job.runId) ?? { metadata: null, scheduleId: null }),
      customer: customers.get(byRun.get(job.runId)?.customerId ?? 0) ?? null,
      createdAt: job.createdAt.toISOString(),
      updatedAt: job.updatedAt.toISOString(),
    })),
    nextCursor: cut.nextCursor,
  }
}

/** The value of a turn with a schema; nothing of one without. */
const outputOf = (turn: { outputSchema: unknown; output: unknown } | undefined) =>
  turn && turn.outputSchema !== null ? { output: turn.output } : {}
