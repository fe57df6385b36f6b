import type { ScheduleRun } from '../../../prisma/generated/client'
import { readSpendLimits } from '../../credits/spend-limit'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { ScheduleRunState, type ScheduleRunView } from './shape'

type RunRow = Pick<ScheduleRun, 'dueAt' | 'isManual' | 'state' | 'jobId' | 'reason'>

/** Runs of schedules with what their jobs have spent. */
export async function viewScheduleRuns(rows: readonly RunRow[]): Promise<ScheduleRunView[]> {
  const spent = await readSpendLimits(rows.flatMap(({ jobId }) => jobId ?? []))
  return rows.map(({ dueAt, isManual, state, jobId, reason }) => ({
    dueAt: dueAt.toISOString(),
    manual: isManual,
    state: ScheduleRunState.parse(state),
    jobId,
    creditsSpent: jobId === null ? null : (spent.get(jobId) ?? 0),
    reason,
  }))
}

const LAST_RUNS = statement({
  name: 'schedule_last_runs',
  sql: `SELECT r.schedule_id AS "scheduleId", r.due_at AS "dueAt", r.is_manual AS "isManual", r.state,
      r.job_id AS "jobId", r.reason
    FROM unnest($1::uuid[]) AS s (id)
    CROSS JOIN LATERAL (SELECT * FROM schedule_run WHERE schedule_id = s.id ORDER BY due_at DESC LIMIT 1) r`,
  params: ['uuid[]'],
  columns: {
    scheduleId: 'uuid',
    dueAt: 'timestamptz',
    isManual: 'boolean',
    state: 'text',
    jobId: 'uuid?',
    reason: 'text?',
  },
})

/** The last run of each schedule that has one. */
export async function readLastRuns(scheduleIds: readonly string[]): Promise<Map<string, ScheduleRunView>> {
  const rows = await runStatement(LAST_RUNS, [scheduleIds])
  const views = await viewScheduleRuns(rows)
  return new Map(rows.flatMap(({ scheduleId }, i) => (views[i] ? [[scheduleId, views[i]] as const] : [])))
}
