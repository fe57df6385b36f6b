import type { ScheduleRun } from '../../../prisma/generated/client'
import { readSpendLimits } from '../../credits/spend-limit'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { viewCheckTotals } from '../checks/stored'
import { ScheduleRunState, type ScheduleRunView, type ScheduleWaiting, type ShownRunState } from './shape'

type RunRow = Pick<ScheduleRun, 'dueAt' | 'isManual' | 'isQueued' | 'state' | 'jobId' | 'runId' | 'reason'>

/** The runs that wait for an answer, by their schedules. */
type Waiting = ReadonlyMap<string, ScheduleWaiting>

function shownState({ state, isQueued, jobId }: RunRow, waiting: ReadonlySet<string>): ShownRunState {
  const stored = ScheduleRunState.parse(state)
  if (stored === 'starting' && isQueued) return 'queued'
  return stored === 'running' && jobId !== null && waiting.has(jobId) ? 'waiting' : stored
}

const CHECKS = statement({
  name: 'schedule_run_checks',
  sql: 'SELECT run_id AS "runId", checks FROM turn WHERE run_id = ANY ($1) AND checks IS NOT NULL',
  params: ['uuid[]'],
  columns: { runId: 'uuid', checks: 'jsonb?' },
})

/** Runs of schedules with what their jobs have spent. */
export async function viewScheduleRuns(rows: readonly RunRow[], waiting: Waiting): Promise<ScheduleRunView[]> {
  const waitingJobs = new Set([...waiting.values()].map(({ jobId }) => jobId))
  const runIds = rows.flatMap(({ runId }) => runId ?? [])
  const [spent, checked] = await Promise.all([
    readSpendLimits(rows.flatMap(({ jobId }) => jobId ?? [])),
    runIds.length > 0 ? runStatement(CHECKS, [runIds]) : [],
  ])
  const checks = new Map(checked.map((run) => [run.runId, run.checks]))
  return rows.map((row) => ({
    dueAt: row.dueAt.toISOString(),
    manual: row.isManual,
    state: shownState(row, waitingJobs),
    jobId: row.jobId,
    creditsSpent: row.jobId === null ? null : (spent.get(row.jobId) ?? 0),
    ...viewCheckTotals(checks.get(row.runId ?? '')),
    reason: row.reason,
  }))
}

const LAST_RUNS = statement({
  name: 'schedule_last_runs',
  sql: `SELECT r.schedule_id AS "scheduleId", r.due_at AS "dueAt", r.is_manual AS "isManual", r.state,
      r.job_id AS "jobId", r.run_id AS "runId", r.reason, r.is_queued AS "isQueued"
    FROM unnest($1::uuid[]) AS s (id)
    CROSS JOIN LATERAL (SELECT * FROM schedule_run WHERE schedule_id = s.id ORDER BY due_at DESC LIMIT 1) r`,
  params: ['uuid[]'],
  columns: {
    scheduleId: 'uuid',
    dueAt: 'timestamptz',
    isManual: 'boolean',
    state: 'text',
    jobId: 'uuid?',
    runId: 'uuid?',
    reason: 'text?',
    isQueued: 'boolean',
  },
})

/** The last run of each schedule that has one. */
export async function readLastRuns(
  scheduleIds: readonly string[],
  waiting: Waiting,
): Promise<Map<string, ScheduleRunView>> {
  const rows = await runStatement(LAST_RUNS, [scheduleIds])
  const views = await viewScheduleRuns(rows, waiting)
  return new Map(rows.flatMap(({ scheduleId }, i) => (views[i] ? [[scheduleId, views[i]] as const] : [])))
}
