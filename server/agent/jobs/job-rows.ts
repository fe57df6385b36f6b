import type { statement } from '../../kit/statement'
import { JobStatus, RunMode, RunOrigin } from '../shape'
import type { JobRow } from './shape'

/** The rows of `jobs`, a select from `job j`, with what a list shows of their latest turn. */
export const selectJobRows = (jobs: string, order: string): string => `
  SELECT j.id, j.title, j.status, j.created_at AS "createdAt", j.updated_at AS "updatedAt", j.credits::text AS credits,
    j.worked_ms::text AS "workedMs", t.mode, t.model, t.key_id AS "keyId", coalesce(k.name, t.started_by) AS "keyName",
    t.origin, t.created_at AS "turnAt", coalesce(l.spent, 0) AS spent
  FROM (${jobs}) j JOIN turn t ON t.run_id = j.run_id LEFT JOIN "key" k ON k.id = t.key_id
    LEFT JOIN spend_limit l ON l.id = j.id
  ORDER BY ${order}`

export const JOB_ROW_COLUMNS = {
  id: 'uuid',
  title: 'text',
  status: JobStatus.options,
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  credits: 'text',
  workedMs: 'text',
  mode: RunMode.options,
  model: 'text',
  keyId: 'int',
  keyName: 'text?',
  origin: [...RunOrigin.options, null],
  turnAt: 'timestamptz',
  spent: 'bigint',
} as const satisfies Parameters<typeof statement>[0]['columns']

type FoundRow = {
  id: string
  title: string
  status: JobRow['status']
  createdAt: Date
  updatedAt: Date
  workedMs: string
  mode: JobRow['mode']
  model: string
  keyId: number
  keyName: string | null
  origin: JobRow['origin']
  turnAt: Date
  spent: string
}

/** A row of `selectJobRows` as the dashboard's list shows it. */
export const viewJobRow = (row: FoundRow): JobRow => ({
  jobId: row.id,
  conversationId: row.id,
  title: row.title,
  mode: row.mode,
  model: row.model,
  status: row.status,
  creditsSpent: Number(row.spent),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  keyId: row.keyId,
  keyName: row.keyName ?? `key ${row.keyId}`,
  origin: row.origin,
  workedMs: Number(row.workedMs),
  runningSince: row.status === 'running' || row.status === 'awaiting_input' ? row.turnAt.toISOString() : null,
})
