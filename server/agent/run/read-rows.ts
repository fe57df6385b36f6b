import { z } from 'zod'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { StoredChecks } from '../checks/stored'
import { StoredAttachment } from '../jobs/attachments'
import type { RunRef } from '../queue/send'
import { JobStatus, Permissions, RunMode, StepKind } from '../shape'

const Turn = z.object({
  runId: z.string(),
  number: z.int(),
  keyId: z.int(),
  customerId: z.int().nullable(),
  personId: z.int().nullable(),
  goal: z.string(),
  mode: RunMode,
  model: z.string(),
  summaryModel: z.string().nullable(),
  agent: z.string(),
  capabilities: z.array(z.string()).nullable(),
  capCredits: z.int(),
  historyTurnLimit: z.int().nullable(),
  outputSchema: z.unknown(),
  checks: StoredChecks,
  stopAtCredits: z.int().nullable(),
  status: JobStatus,
  result: z.string().nullable(),
  attachments: z
    .array(StoredAttachment)
    .nullable()
    .transform((attached) => attached ?? []),
  permissions: Permissions.nullable().transform((permissions) => permissions ?? {}),
  scheduleId: z.string().nullable(),
  memory: z.boolean().nullable(),
  traceparent: z.string().nullable(),
  startedAt: z.coerce.date(),
})

const Step = z.object({
  index: z.int(),
  runId: z.string(),
  kind: StepKind,
  name: z.string(),
  input: z.unknown(),
  output: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  charged: z.int(),
})

const Answer = z.object({
  index: z.int(),
  approved: z.boolean(),
  feedback: z.string().nullable(),
  scope: z.string().nullable(),
  input: z.record(z.string(), z.unknown()).nullable(),
})

// One statement, so that the rows are of one moment and a run waits once; a row of JSON for each,
// because one array of them all could become longer than PostgreSQL's JSON may be.
const ROWS = statement({
  name: 'agent_run_rows',
  sql: `SELECT 'turn' AS kind, t.number AS place, to_jsonb(t) AS given FROM (
      SELECT run_id AS "runId", number, key_id AS "keyId", customer_id AS "customerId", person_id AS "personId", goal, mode, model, summary_model AS "summaryModel", agent, capabilities,
        cap_credits AS "capCredits", history_turn_limit AS "historyTurnLimit", output_schema AS "outputSchema",
        stop_at_credits AS "stopAtCredits", checks,
        status, result, attachments, permissions, schedule_id AS "scheduleId", memory, traceparent, created_at AS "startedAt"
      FROM turn WHERE job_id = $1 AND owner_id = $2) t
    UNION ALL SELECT 'step', s.index, to_jsonb(s) FROM (
      SELECT w.index, w.run_id AS "runId", w.kind, w.name, w.input, w.output, w.error, w.charged
      FROM job j JOIN step w ON w.job_id = j.id WHERE j.id = $1 AND j.owner_id = $2) s
    UNION ALL SELECT 'answer', a.index, to_jsonb(a) FROM (
      SELECT w.index, w.approved, w.feedback, w.scope, w.input
      FROM job j JOIN answer w ON w.job_id = j.id WHERE j.id = $1 AND j.owner_id = $2) a
    ORDER BY kind, place`,
  params: ['uuid', 'int'],
  columns: { kind: ['turn', 'step', 'answer'], place: 'int', given: 'jsonb' },
  isPrepared: true,
})

/** Reads the turns, steps and answers of a conversation, each in order. */
export async function readRunRows({ jobId }: RunRef, ownerId: number) {
  const rows = await runStatement(ROWS, [jobId, ownerId])
  const given = (kind: (typeof rows)[number]['kind']) => rows.filter((row) => row.kind === kind).map((row) => row.given)
  return {
    turns: z.array(Turn).parse(given('turn')),
    steps: z.array(Step).parse(given('step')),
    answers: z.array(Answer).parse(given('answer')),
  }
}
