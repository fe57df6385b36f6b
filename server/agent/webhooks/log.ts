import type { WebhookDelivery } from '../../../prisma/generated/client'
import { prisma, runStatement } from '../../db'
import { AppError, readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import type { JobCaller } from '../jobs/answer'
import { checkJobGrants } from '../jobs/check-grants'
import { jobNotFound, withCurrentJob } from '../jobs/read-job'
import {
  CallbackEvent,
  type DeliveryList,
  type DeliveryListRequest,
  DeliveryStatus,
  type DeliveryView,
  type TaskDelivery,
} from './shape'

type Attempts = Omit<WebhookDelivery, 'jobId' | 'runId' | 'ownerId' | 'awaiting' | 'spent' | 'dismissedAt'>

function viewAttempts(row: Attempts): TaskDelivery {
  const isBeingSent = row.claimedUntil !== null && row.claimedUntil.getTime() > Date.now()
  return {
    deliveryId: row.id,
    url: row.url,
    status: DeliveryStatus.parse(row.status),
    attempts: row.attempts,
    answerStatus: row.answerStatus,
    answerBody: row.answerBody,
    error: row.error,
    attemptedAt: row.attemptedAt?.toISOString() ?? null,
    nextAttemptAt: row.status === 'pending' && !isBeingSent ? row.dueAt.toISOString() : null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  }
}

const viewDelivery = (row: WebhookDelivery): DeliveryView => ({
  ...viewAttempts(row),
  runId: row.runId,
  event: CallbackEvent.parse(row.event),
  createdAt: row.createdAt.toISOString(),
})

/** How the delivery of a task went; null: its end is not written yet, or it has no callback URL. */
export async function findTaskDelivery(ownerId: number, taskId: string): Promise<TaskDelivery | null> {
  const row = await prisma().taskDelivery.findFirst({ where: { id: taskId, ownerId } })
  return row && viewAttempts(row)
}

/**
 * The deliveries of a job, newest first. Throws `not_found`, also for another owner's job, and
 * `invalid_request` for an invalid cursor.
 */
export async function listDeliveries(
  ownerId: number,
  jobId: string,
  { limit, cursor }: DeliveryListRequest,
): Promise<DeliveryList> {
  const from = readCursor(cursor, isUuid)
  const job = isUuid(jobId)
    ? await prisma().job.findFirst({ where: { id: jobId, ownerId }, select: { id: true } })
    : null
  if (!job) throw jobNotFound()
  const rows = await prisma().webhookDelivery.findMany({
    where: {
      jobId,
      ownerId,
      ...(from && { OR: [{ createdAt: { lt: from.at } }, { createdAt: from.at, id: { lt: from.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const page = paginate(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { deliveries: page.rows.map(viewDelivery), nextCursor: page.nextCursor }
}

/** Not while it is being sent: the receiver would get it twice at once. */
const SEND_AGAIN = statement({
  name: 'webhook_send_again',
  sql: `UPDATE webhook_delivery SET status = 'pending', round_attempts = 0, due_at = now(), claimed_until = NULL
    WHERE id = $1 AND owner_id = $2 AND (claimed_until IS NULL OR claimed_until < now()) RETURNING id`,
  params: ['uuid', 'int'],
  columns: { id: 'uuid' },
})

/**
 * Sends a delivery again, whatever became of it, with all attempts before it. Its id and body stay
 * the same. Throws `not_found`, `forbidden` for a key whose grants do not cover the run, and
 * `conflict` while it is being sent.
 */
export async function sendDeliveryAgain(
  { ownerId, grants }: Omit<JobCaller, 'keyId'>,
  jobId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  return withCurrentJob({ ownerId, jobId }, async (job) => {
    checkJobGrants(job, grants)
    const where = { id: deliveryId, jobId: job.id, ownerId }
    const known = isUuid(deliveryId) ? await prisma().webhookDelivery.findFirst({ where }) : null
    if (!known) throw new AppError('not_found', 'There is no such delivery.')
    const [sent] = await runStatement(SEND_AGAIN, [known.id, ownerId])
    if (!sent) throw new AppError('conflict', 'This delivery is being sent right now.')
    return viewDelivery(await prisma().webhookDelivery.findFirstOrThrow({ where }))
  })
}
