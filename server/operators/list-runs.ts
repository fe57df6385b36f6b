import { JobStatus, RunMode } from '../agent/shape'
import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import type { RunRow } from './views'

const RUN_COLUMNS = `j.id AS "jobId", j.run_id AS "runId", j.owner_id AS "ownerId", o.email AS "ownerEmail", j.status, t.mode, t.model,
  j.step_count AS steps, coalesce(l.spent, 0) AS spent, t.created_at AS "createdAt", j.updated_at AS "updatedAt"`
const RUN_TABLES = `job j JOIN turn t ON t.run_id = j.run_id JOIN owner o ON o.id = j.owner_id LEFT JOIN spend_limit l ON l.id = j.id`

const COLUMNS = {
  jobId: 'uuid',
  runId: 'uuid',
  ownerId: 'int',
  ownerEmail: 'text',
  status: JobStatus.options,
  mode: 'text',
  model: 'text',
  steps: 'int',
  spent: 'bigint',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

const RUNS_OF_OWNER = statement({
  name: 'operators_runs_of_owner',
  sql: `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE j.owner_id = $1 ORDER BY j.created_at DESC, j.id DESC LIMIT $2`,
  params: ['int', 'bigint'],
  columns: COLUMNS,
})

// The condition is that of a partial index, so that finished runs are not looked at.
const LIVE_RUNS = statement({
  name: 'operators_live_runs',
  sql: `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES}
    WHERE j.status IN ('running', 'awaiting_input') AND j.status = $1 ORDER BY t.created_at, j.id LIMIT $2`,
  params: ['text', 'bigint'],
  columns: COLUMNS,
})

const RUN = statement({
  name: 'operators_run',
  sql: `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE j.id = coalesce((SELECT job_id FROM turn WHERE run_id = $1), $1)`,
  params: ['uuid'],
  columns: COLUMNS,
})

const viewRun = ({ spent, mode, createdAt, updatedAt, ...row }: RowOf<typeof RUN>): RunRow => ({
  ...row,
  mode: RunMode.parse(mode),
  creditsSpent: Number(spent),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** An owner's newest runs, without what they were asked. */
export const listRunsOf = async (ownerId: number, max: number, options?: ReadOptions): Promise<RunRow[]> =>
  (await runRead(RUNS_OF_OWNER, [ownerId, BigInt(max)], options)).map(viewRun)

/** The runs of every owner that run or wait for an answer, the oldest first. */
export const listLiveRuns = async (
  status: 'running' | 'awaiting_input',
  max: number,
  options?: ReadOptions,
): Promise<RunRow[]> => (await runRead(LIVE_RUNS, [status, BigInt(max)], options)).map(viewRun)

/** The job of an id, or of a run's; null: no job has it. */
export async function findRun(id: string): Promise<RunRow | null> {
  const [row] = await runRead(RUN, [id])
  return row ? viewRun(row) : null
}
