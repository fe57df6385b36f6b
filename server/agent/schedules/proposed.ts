import { z } from 'zod'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { Permission } from '../shape'
import { ScheduledStart } from './shape'
import { NOBODY } from './waiting'

const ASKED = statement({
  name: 'schedule_asked',
  sql: `SELECT r.schedule_id AS "scheduleId", a.asked FROM schedule_run r JOIN answer a ON a.job_id = r.job_id
      WHERE r.schedule_id = ANY ($1::uuid[]) AND a.asked IS NOT NULL AND (a.approved OR a.answered_by = '${NOBODY}')
    UNION ALL SELECT r.schedule_id, j.awaiting #> '{approval,permissions}'
      FROM schedule_run r JOIN job j ON j.id = r.job_id AND j.run_id = r.run_id
      WHERE r.schedule_id = ANY ($1::uuid[]) AND r.state = 'running' AND j.status = 'awaiting_input'`,
  params: ['uuid[]'],
  columns: { scheduleId: 'uuid', asked: 'jsonb?' },
})

const Asked = z.array(Permission).nullable()

/**
 * What runs of schedules asked for, and were not refused by a person, beyond what their schedules
 * permit: with these permissions the next runs ask less.
 */
export async function readProposed(
  schedules: readonly { id: string; request: unknown }[],
): Promise<Map<string, Permission[]>> {
  const rows = await runStatement(ASKED, [schedules.map(({ id }) => id)])
  return new Map(
    schedules.map(({ id, request }) => {
      const { permissions = {} } = ScheduledStart.parse(request)
      const asked = rows.flatMap((row) => (row.scheduleId === id ? (Asked.parse(row.asked) ?? []) : []))
      const missing = asked.filter(({ kind, name }) => !permissions[kind]?.includes(name))
      return [id, [...new Map(missing.map((one) => [`${one.kind} ${one.name}`, one])).values()]]
    }),
  )
}
