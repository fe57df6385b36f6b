import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import type { Origin } from '../../tools/flow'
import { toolNamed } from './approvals/origins'
import type { AgentRun } from './state'

/** The schedule that a run belongs to, and what the run of it before reported. */
export type ScheduledReport = {
  name: string
  cron: string
  timeZone: string
  reportedAt: Date
  /** Null: no earlier run of the schedule has completed. */
  report: string | null
  /** Where what the report says may be from. */
  origins: Origin[]
}

/** Characters of a report, and of a small context the part that it may have. */
const MAX_CHARS = 6_000
const CONTEXT_SHARE = 0.25

// The idempotency key of a scheduled run has its schedule and time: its row there may be written
// later than the run begins.
const REPORT = statement({
  name: 'agent_scheduled_report',
  sql: `SELECT s.name, s.cron, s.time_zone AS "timeZone", b.due_at AS "reportedAt", b.result,
      ARRAY(SELECT DISTINCT w.name FROM step w WHERE w.job_id = b.job_id AND w.kind = 'tool') AS tools
    FROM turn t
    JOIN schedule s ON s.id::text = split_part(t.idempotency_key, '/', 2) AND s.owner_id = t.owner_id
    LEFT JOIN LATERAL (
      SELECT r.due_at, r.job_id, e.result FROM schedule_run r JOIN turn e ON e.run_id = r.run_id
      WHERE r.schedule_id = s.id AND r.state = 'completed' AND e.status = 'completed' AND r.run_id <> t.run_id
      ORDER BY r.due_at DESC LIMIT 1) b ON true
    WHERE t.run_id = $1 AND t.owner_id = $2 AND t.origin = 'schedule'`,
  params: ['uuid', 'int'],
  columns: {
    name: 'text',
    cron: 'text',
    timeZone: 'text',
    reportedAt: 'timestamptz?',
    result: 'text?',
    tools: 'text[]',
  },
})

/** The report of the latest completed run of the schedule that a run belongs to; null: of none. */
export async function lastScheduledReport(run: AgentRun): Promise<ScheduledReport | null> {
  const [row] = await runStatement(REPORT, [run.runId, run.ownerId])
  if (!row) return null
  const { name, cron, timeZone, reportedAt, result, tools } = row
  const maxChars = Math.min(MAX_CHARS, Math.floor(run.model.contextSize * CONTEXT_SHARE))
  const report = result && result.length > maxChars ? `${result.slice(0, maxChars).toWellFormed()}…` : result
  return {
    ...{ name, cron, timeZone, report },
    reportedAt: reportedAt ?? new Date(0),
    origins: ['foreign', ...(tools.some(mayReadPrivate) ? (['private'] as const) : [])],
  }
}

function mayReadPrivate(name: string): boolean {
  const reads = toolNamed(name)?.flow.reads
  return reads !== undefined && (typeof reads === 'function' || reads.includes('private'))
}
