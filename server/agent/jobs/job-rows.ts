import { customerShown } from '../../credits/customer-shown'
import { columnTypes, selectList } from '../../kit/column-table'
import type { SelectedRow } from '../../kit/statement'
import { viewCheckTotals } from '../checks/stored'
import { JobStatus, RunMode, RunOrigin } from '../shape'
import { viewLabels } from './labels'
import type { JobRow } from './shape'

const COLUMNS = {
  id: { sql: 'j.id', type: 'uuid' },
  title: { sql: 'j.title', type: 'text' },
  status: { sql: 'j.status', type: JobStatus.options },
  createdAt: { sql: 'j.created_at', type: 'timestamptz' },
  updatedAt: { sql: 'j.updated_at', type: 'timestamptz' },
  credits: { sql: 'j.credits::text', type: 'text' },
  workedMs: { sql: 'j.worked_ms::text', type: 'text' },
  mode: { sql: 't.mode', type: RunMode.options },
  model: { sql: 't.model', type: 'text' },
  keyId: { sql: 't.key_id', type: 'int' },
  keyName: { sql: 'coalesce(k.name, t.started_by)', type: 'text?' },
  origin: { sql: 't.origin', type: [...RunOrigin.options, null] },
  checks: { sql: 't.checks', type: 'jsonb?' },
  metadata: { sql: 't.metadata', type: 'jsonb?' },
  scheduleId: { sql: 't.schedule_id', type: 'uuid?' },
  customer: { sql: customerShown('t'), type: 'text?' },
  turnAt: { sql: 't.created_at', type: 'timestamptz' },
  spent: { sql: 'coalesce(l.spent, 0)', type: 'bigint' },
} as const

/** The rows of `jobs`, a select from `job j`, with what a list shows of their latest turn. */
export const selectJobRows = (jobs: string, order: string): string => `
  SELECT ${selectList(COLUMNS)}
  FROM (${jobs}) j JOIN turn t ON t.run_id = j.run_id AND t.owner_id = j.owner_id
    LEFT JOIN "key" k ON k.id = t.key_id AND k.owner_id = t.owner_id
    LEFT JOIN spend_limit l ON l.id = j.id AND l.owner_id = j.owner_id
  ORDER BY ${order}`

export const JOB_ROW_COLUMNS = columnTypes(COLUMNS)

type FoundRow = Omit<SelectedRow<typeof JOB_ROW_COLUMNS>, 'credits'>

/** A row of `selectJobRows` as the dashboard's list shows it. */
export const viewJobRow = (row: FoundRow): JobRow => ({
  jobId: row.id,
  conversationId: row.id,
  title: row.title,
  mode: row.mode,
  model: row.model,
  status: row.status,
  creditsSpent: Number(row.spent),
  ...viewCheckTotals(row.checks),
  ...viewLabels(row),
  customer: row.customer,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  keyId: row.keyId,
  keyName: row.keyName ?? `key ${row.keyId}`,
  origin: row.origin,
  workedMs: Number(row.workedMs),
  runningSince: row.status === 'running' || row.status === 'awaiting_input' ? row.turnAt.toISOString() : null,
})
