import { customerShown } from '../../credits/customer-shown'
import { LimitSource } from '../../credits/shape'
import { prisma, runStatement } from '../../db'
import { isUuid } from '../../kit/id'
import { type RowOf, statement } from '../../kit/statement'
import { viewChecks } from '../checks/stored'
import { AwaitingInput, JobStatus, type JobView, RunMode, RunOrigin } from '../shape'
import { ARTIFACTS, viewArtifacts } from './artifacts'
import { viewAttachments } from './attachments'
import { viewLabels } from './labels'
import { MEMORY, viewMemory } from './memory'
import { jobNotFound } from './read-job'
import { limitOf } from './run-limit'
import { viewShare } from './share'
import type { JobTurnView } from './turn-view'

const JOB = statement({
  name: 'agent_job',
  sql: `SELECT j.id, j.run_id AS "runId", j.status, j.result, j.reached_by AS "reachedBy", j.awaiting, t.mode, t.model,
      t.capabilities, t.output_schema IS NOT NULL AS "isStructured", t.output, t.checks, t.rerun_of AS "rerunOf", t.from_step AS "fromStep", t.cap_credits AS cap, l.spent, j.step_count AS steps, j.input_tokens AS "inputTokens",
      t.max_credits AS "maxCredits", t.stop_at_credits AS "stopAtCredits", t.metadata, t.schedule_id AS "scheduleId", ${customerShown('t')} AS customer,
      ${MEMORY} AS memory, j.output_tokens AS "outputTokens", j.cached_tokens AS "cachedTokens", ${ARTIFACTS} AS artifacts, j.updated_at AS "updatedAt", j.title, j.created_at AS "createdAt"
    FROM job j JOIN turn t ON t.run_id = j.run_id AND t.owner_id = j.owner_id
      LEFT JOIN spend_limit l ON l.id = j.id AND l.owner_id = j.owner_id
    WHERE j.id = $1 AND j.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: {
    id: 'uuid',
    runId: 'uuid',
    status: 'text',
    result: 'text?',
    reachedBy: 'text?',
    awaiting: 'jsonb?',
    mode: 'text',
    model: 'text',
    capabilities: 'text[]?',
    isStructured: 'boolean?',
    output: 'jsonb?',
    checks: 'jsonb?',
    rerunOf: 'uuid?',
    fromStep: 'int?',
    cap: 'bigint',
    spent: 'bigint?',
    steps: 'int',
    inputTokens: 'bigint',
    maxCredits: 'bigint?',
    stopAtCredits: 'bigint?',
    metadata: 'jsonb?',
    scheduleId: 'uuid?',
    customer: 'text?',
    memory: 'jsonb?',
    outputTokens: 'bigint',
    cachedTokens: 'bigint',
    artifacts: 'jsonb?',
    updatedAt: 'timestamptz',
    title: 'text',
    createdAt: 'timestamptz',
  },
  isPrepared: true,
})
type JobRow = RowOf<typeof JOB>

async function readJob(ownerId: number, jobId: string): Promise<JobRow> {
  if (!isUuid(jobId)) throw jobNotFound()
  const [row] = await runStatement(JOB, [jobId, ownerId], { repeatable: false })
  if (!row) throw jobNotFound()
  return row
}

const viewJob = (row: JobRow): JobView => ({
  jobId: row.id,
  runId: row.runId,
  conversationId: row.id,
  status: JobStatus.parse(row.status),
  result: row.result,
  ...(row.isStructured && { output: row.output }),
  ...viewChecks(row.checks),
  ...(row.rerunOf !== null && { rerunOf: row.rerunOf, fromStep: row.fromStep }),
  creditsSpent: Number(row.spent ?? 0),
  budget: viewBudget(row),
  ...(row.awaiting !== null && { awaitingInput: AwaitingInput.parse(row.awaiting) }),
  artifacts: viewArtifacts(row.artifacts),
  usage: {
    steps: row.steps,
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    cachedTokens: Number(row.cachedTokens),
  },
  mode: RunMode.parse(row.mode),
  model: row.model,
  runBudgetCredits: Number(row.cap),
  runBudgetScope: 'conversation',
  capabilities: row.capabilities?.length ? row.capabilities : null,
  ...viewLabels(row),
  customer: row.customer,
  memory: viewMemory(row.memory),
})

/** A conversation's limit is the only one that ends it: more credits lift the others. */
function viewBudget({ cap, maxCredits, reachedBy, stopAtCredits }: JobRow): JobView['budget'] {
  const stoppedBy = reachedBy === null ? null : limitOf(LimitSource.parse(reachedBy), stopAtCredits !== null)
  return {
    capCredits: Number(cap),
    reached: stoppedBy === 'conversation',
    maxCredits: maxCredits === null ? null : Number(maxCredits),
    stoppedBy,
  }
}

/** A job with its latest turn. Throws `not_found`, also for another owner's job. */
export const getJob = async (ownerId: number, jobId: string): Promise<JobView> => viewJob(await readJob(ownerId, jobId))

/** A job with all of its turns. Throws `not_found`, also for another owner's job. */
export async function getConversation(
  ownerId: number,
  jobId: string,
): Promise<{ job: JobView; title: string; createdAt: string; turns: JobTurnView[] }> {
  const row = await readJob(ownerId, jobId)
  const turns = await prisma().turn.findMany({ where: { jobId, ownerId }, orderBy: { number: 'asc' } })
  const ids = [...new Set(turns.map(({ keyId }) => keyId))]
  const keys = await prisma().key.findMany({ where: { ownerId, id: { in: ids } }, select: { id: true, name: true } })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return {
    job: viewJob(row),
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    turns: turns.map((turn) => ({
      runId: turn.runId,
      number: turn.number,
      goal: turn.goal,
      attachments: viewAttachments(turn.attachments),
      mode: RunMode.parse(turn.mode),
      model: turn.model,
      agent: turn.agent,
      keyId: turn.keyId,
      keyName: names.get(turn.keyId) ?? null,
      origin: RunOrigin.nullable().parse(turn.origin),
      startedBy: turn.startedBy,
      cancelled: turn.cancelledBy === null ? null : { by: turn.cancelledBy, keyId: turn.cancelledKeyId },
      status: turn.runId === row.runId ? JobStatus.parse(row.status) : JobStatus.parse(turn.status),
      result: turn.result,
      ...(turn.output !== null && { output: turn.output }),
      ...viewChecks(turn.checks),
      share: viewShare(turn),
      createdAt: turn.createdAt.toISOString(),
      endedAt: turn.endedAt?.toISOString() ?? null,
    })),
  }
}
