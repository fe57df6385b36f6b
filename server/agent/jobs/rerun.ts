import { z } from 'zod'
import { prisma } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import { isUuid } from '../../kit/id'
import { isRecord } from '../../kit/record'
import { StoredChecks } from '../checks/stored'
import { JobStatus, Permissions, type RerunRequest, RunMode, type StartRequest } from '../shape'
import { StoredAttachment } from './attachments'
import { jobNotFound } from './read-job'
import { type StartResult, startJob } from './start'
import { hasFinished } from './states'
import type { RunStarter, StartOrigin } from './write-turn'

const Attachments = z.array(StoredAttachment).nullable()
const Metadata = z.record(z.string(), z.string()).nullable()

/**
 * Starts a run that takes over a finished one up to a step, in a conversation of its own: what came
 * before is copied and not paid again, what the request does not change is as it was. Throws
 * `not_found`, also for another owner's job, `conflict` while the job is in progress, and as
 * `startJob` does.
 */
export async function rerunJob(
  starter: RunStarter,
  jobId: string,
  { request: { fromStep, ...changed }, startedBy }: { request: RerunRequest; startedBy: StartOrigin },
): Promise<StartResult> {
  const { ownerId } = starter
  const turn = await readTurnOf(ownerId, jobId, fromStep)
  const before = startOf(turn)
  const { goal = before.goal, mode = before.mode, model = before.model, permissions = before.permissions } = changed
  const request: StartRequest = {
    ...before,
    ...{ goal, mode, model, permissions, idempotencyKey: changed.idempotencyKey, wait: false },
    callbackUrl: changed.callbackUrl,
    checks: changed.checks === null ? undefined : (changed.checks ?? before.checks),
    maxCredits: changed.maxCredits === null ? undefined : (changed.maxCredits ?? before.maxCredits),
  }
  const rerun = { of: jobId, turn: turn.number, fromStep: fromStep ?? null, agent: turn.agent }
  const customerId = starter.customerId ?? turn.customerId ?? undefined
  const attached = Attachments.parse(turn.attachments) ?? []
  return startJob({ ...starter, customerId }, request, { ...startedBy, attached, rerun })
}

/** The turn that a step belongs to; without a step the latest. */
async function readTurnOf(ownerId: number, jobId: string, fromStep: number | undefined) {
  const job = isUuid(jobId)
    ? await prisma().job.findFirst({ where: { id: jobId, ownerId }, select: { runId: true, status: true } })
    : null
  if (!job) throw jobNotFound()
  if (!hasFinished(JobStatus.parse(job.status)))
    throw new AppError('conflict', 'The job is in progress: wait for it, or cancel it.', { reason: 'in_progress' })
  const step =
    fromStep === undefined
      ? null
      : await prisma().step.findFirst({ where: { jobId, index: fromStep, job: { ownerId } }, select: { runId: true } })
  if (fromStep !== undefined && !step)
    throw invalidRequest([{ path: ['fromStep'], message: `The job has no step ${fromStep}` }])
  const turn = await prisma().turn.findFirst({ where: { jobId, ownerId, runId: step?.runId ?? job.runId } })
  if (!turn) throw jobNotFound()
  return turn
}

type Turn = Awaited<ReturnType<typeof readTurnOf>>

/** What a turn was started with. */
function startOf(turn: Turn): Omit<StartRequest, 'idempotencyKey' | 'wait'> {
  const { capabilities, historyTurnLimit, outputSchema, maxCredits } = turn
  const permissions = Permissions.nullable().parse(turn.permissions)
  const metadata = Metadata.parse(turn.metadata)
  const checks = StoredChecks.parse(turn.checks)?.map(({ check }) => check)
  return {
    goal: turn.goal,
    mode: RunMode.parse(turn.mode),
    model: turn.model,
    ...(capabilities.length > 0 && { capabilities }),
    ...(historyTurnLimit !== null && { historyTurnLimit }),
    ...(isRecord(outputSchema) && { outputSchema }),
    ...(maxCredits !== null && { maxCredits: Number(maxCredits) }),
    ...(permissions && { permissions }),
    ...(metadata && { metadata }),
    ...(turn.memory !== null && { memory: turn.memory }),
    ...(checks && { checks }),
  }
}
