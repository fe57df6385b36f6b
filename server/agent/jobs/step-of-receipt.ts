import { runRead } from '../../db'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import type { ReadOptions } from '../../kit/pg-read'
import { statement } from '../../kit/statement'

const STEP = statement({
  name: 'job_step_of_receipt',
  sql: `SELECT j.title, (SELECT s.index FROM step s WHERE s.job_id = j.id AND s.hold_id = r.id LIMIT 1) AS step
    FROM receipt r LEFT JOIN job j ON j.id = r.limit_id AND j.owner_id = r.owner_id WHERE r.id = $1 AND r.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: { title: 'text?', step: 'int?' },
})

/**
 * Which step of which job a call was made for. `step` is null where the attempt became none, and
 * both are where the call was not an agent's. Throws `not_found`, also for another owner's call.
 */
export async function stepOfReceipt(
  ownerId: number,
  requestId: string,
  options?: ReadOptions,
): Promise<{ title: string | null; step: number | null }> {
  const [row] = isUuid(requestId) ? await runRead(STEP, [requestId, ownerId], options) : []
  if (!row) throw new AppError('not_found', 'There is no receipt of such a request.')
  return row
}

const TITLES = statement({
  name: 'job_titles',
  sql: 'SELECT id, title FROM job WHERE owner_id = $1 AND id = ANY ($2)',
  params: ['int', 'uuid[]'],
  columns: { id: 'uuid', title: 'text' },
})

/** Titles of an owner's jobs, by id. */
export async function jobTitles(
  ownerId: number,
  ids: readonly string[],
  options?: ReadOptions,
): Promise<Map<string, string>> {
  const rows = ids.length > 0 ? await runRead(TITLES, [ownerId, ids], options) : []
  return new Map(rows.map(({ id, title }) => [id, title]))
}
