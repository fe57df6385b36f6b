import { executeStatement, runStatement } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import type { RunStarter } from '../jobs/write-turn'
import type { StartedJob } from '../shape'
import { readSchedule, scheduleNotFound } from './read'
import { startDueRun } from './start-run'

const BEGIN_MANUAL = statement({
  name: 'schedule_begin_manual_run',
  sql: 'SELECT schedule_begin_manual_run($1, $2, $3) AS outcome',
  params: ['uuid', 'int', 'timestamptz'],
  columns: { outcome: ['starting', 'live', 'missing'] },
})

const FORGET = statement({
  name: 'schedule_forget_run',
  sql: `DELETE FROM schedule_run WHERE schedule_id = $1 AND due_at = $2 AND state = 'starting'`,
  params: ['uuid', 'timestamptz'],
})

/**
 * Starts a run of a schedule now, under the starter's key, also while it is paused; its times stay.
 * Throws `not_found`, `conflict` while a run of it is in progress, and as `startJob` does.
 */
export async function runScheduleNow(starter: RunStarter, scheduleId: string): Promise<StartedJob> {
  const { id, request, attachments } = await readSchedule(starter.ownerId, scheduleId)
  const dueAt = new Date()
  const [begun] = await runStatement(BEGIN_MANUAL, [id, starter.ownerId, dueAt], { repeatable: false })
  if (begun?.outcome === 'missing') throw scheduleNotFound()
  if (begun?.outcome !== 'starting')
    throw new AppError('conflict', 'A run of this schedule is in progress: wait for it or cancel it.')
  try {
    return await startDueRun(starter, { scheduleId: id, dueAt, request, attachments })
  } catch (error) {
    await executeStatement(FORGET, [id, dueAt])
    throw error
  }
}
