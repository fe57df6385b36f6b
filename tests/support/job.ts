import type { JobStatus } from '../../server/agent/shape'
import { prisma } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'

type Made = { ownerId: number; keyId: number; status: JobStatus; title?: string; createdAt?: Date }

/**
 * Inserts a job with one turn as a run leaves it; a waiting job asks a question. Returns its id.
 */
export async function makeJob({ ownerId, keyId, status, title = 'Look around', createdAt }: Made): Promise<string> {
  const [jobId, runId] = [uuidv7(), uuidv7()]
  const awaiting =
    status === 'awaiting_input'
      ? { kind: 'question', toolCallId: 'call_1', index: 1, tool: 'ask_user', question: 'Which way?' }
      : undefined
  await prisma().job.create({
    data: { id: jobId, ownerId, title, status, runId, awaiting, createdAt, keyId, mode: 'interactive' },
  })
  await prisma().spendLimit.create({ data: { id: jobId, ownerId, cap: 5_000n } })
  await prisma().turn.create({
    data: {
      runId,
      jobId,
      ownerId,
      number: 1,
      keyId,
      idempotencyKey: uuidv7(),
      goal: title,
      mode: 'interactive',
      model: 'northwind/gale-4',
      agent: 'general',
      origin: 'dashboard',
      capabilities: [],
      capCredits: 5_000n,
      status: status === 'awaiting_input' ? 'running' : status,
    },
  })
  return jobId
}

/** Inserts a delivery of a job that has failed. Returns its id. */
export async function makeDelivery(ownerId: number, jobId: string): Promise<string> {
  const { runId } = await prisma().job.findUniqueOrThrow({ where: { id: jobId } })
  const url = 'https://example.com/hook'
  const row = { jobId, runId, ownerId, url, host: 'example.com', event: 'completed', spent: 0n, status: 'failed' }
  const { id } = await prisma().webhookDelivery.create({ data: { ...row, attempts: 8, roundAttempts: 8 } })
  return id
}
