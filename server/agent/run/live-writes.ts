import { executeStatement, runStatement } from '../../db'
import { sanitizeJsonForPostgres } from '../../kit/sanitize-for-postgres'
import { statement } from '../../kit/statement'
import type { StepKind } from '../shape'
import type { ModelDelta } from './model-reply'

/** What is written of a step in progress: its head, and the texts that are new. */
export type LiveWrite = {
  job: string
  run: string
  fencingToken: number
  index: number
  attempt: string
  kind: StepKind
  name: string
  input: unknown
  note: string | null
  startedAt: Date
  texts: (ModelDelta & { part: number })[]
}

const WATCHED = statement({
  name: 'agent_watched',
  sql: 'SELECT job_id AS id FROM watched_job WHERE job_id = ANY ($1::uuid[]) AND until > now()',
  params: ['uuid[]'],
  columns: { id: 'uuid' },
  isPrepared: true,
})

/** Those of these jobs that somebody watches. */
export async function readWatched(jobIds: string[]): Promise<Set<string>> {
  const rows = await runStatement(WATCHED, [jobIds])
  return new Set(rows.map(({ id }) => id))
}

// A worker that lost its claim writes nothing. A repeat writes nothing twice.
const WRITE = statement({
  name: 'agent_write_live',
  sql: `WITH given AS MATERIALIZED (
    SELECT i.* FROM jsonb_to_recordset($1) AS i (job uuid, run uuid, "fencingToken" int, index int, attempt uuid, kind text, name text,
      input jsonb, note text, "startedAt" timestamptz, texts jsonb)
    JOIN job j ON j.id = i.job AND j.run_id = i.run AND j.fencing_token = i."fencingToken" AND j.status = 'running'
  ), heads AS (
    INSERT INTO live_step (job_id, index, run_id, fencing_token, attempt_id, kind, name, input, note, started_at)
    SELECT job, index, run, "fencingToken", attempt, kind, name, input, note, "startedAt" FROM given ORDER BY job, index
    ON CONFLICT (job_id, index) DO UPDATE SET run_id = excluded.run_id, fencing_token = excluded.fencing_token,
      attempt_id = excluded.attempt_id, kind = excluded.kind, name = excluded.name, input = excluded.input,
      note = excluded.note, started_at = excluded.started_at WHERE live_step.attempt_id <> excluded.attempt_id
  )
  INSERT INTO live_text (attempt_id, part, kind, name, text)
  SELECT g.attempt, t.part, t.kind, t.name, t.text
  FROM given g, jsonb_to_recordset(g.texts) AS t (part int, kind text, name text, text text)
  ON CONFLICT DO NOTHING`,
  params: ['jsonb'],
})

/** Writes how steps in progress go, in one statement. */
export async function writeLive(writes: LiveWrite[]): Promise<void> {
  await executeStatement(WRITE, [sanitizeJsonForPostgres(writes)])
}

const REMOVE = statement({
  name: 'agent_remove_live',
  sql: `WITH heads AS (DELETE FROM live_step WHERE attempt_id = ANY ($1::uuid[]))
    DELETE FROM live_text WHERE attempt_id = ANY ($1::uuid[])`,
  params: ['uuid[]'],
})

/** Deletes what was written of attempts that have ended. */
export async function removeLive(attempts: string[]): Promise<void> {
  await executeStatement(REMOVE, [attempts])
}
