import type pg from 'pg'
import { AppError } from '../errors'
import { type Grants, needScope } from '../keys/grants'
import type { LockedJob } from './job-row'

/**
 * Whoever answers or cancels a run must be allowed all that the run is: its capabilities and its model. The owner at
 * the dashboard, `grants` null, may everything. Throws `forbidden`.
 */
export async function needCover(
  db: pg.PoolClient,
  { runId }: Pick<LockedJob, 'runId'>,
  grants: Grants | null,
): Promise<void> {
  if (!grants) return
  needScope(grants, 'agent')
  const { rows } = await db.query<{ model: string; capabilities: string[] }>(
    'SELECT model, capabilities FROM turn WHERE run_id = $1',
    [runId],
  )
  const { model = '', capabilities = [] } = rows[0] ?? {}
  if (grants.allowedModels && !grants.allowedModels.has(model)) {
    throw new AppError('forbidden', `This run uses ${model}, which this key may not.`)
  }
  const mine = grants.capabilities
  const isCovered = mine === null || (capabilities.length > 0 && capabilities.every((name) => mine.includes(name)))
  if (!isCovered) throw new AppError('forbidden', "This run may do more than this key's capabilities allow.")
}
