import { AppError } from '../../errors'
import { type CallerGrants, requireModel, requireScope } from '../../keys/grants'
import type { JobState } from './read-job'

/**
 * Whoever answers or cancels a run must be allowed all that the run is: its capabilities and its model. The owner at
 * the dashboard, `grants` null, may everything. Throws `forbidden`.
 */
export function checkJobGrants(
  { model, capabilities }: Pick<JobState, 'model' | 'capabilities'>,
  grants: CallerGrants | null,
): void {
  if (!grants) return
  requireScope(grants, 'agent')
  requireModel(grants, model)
  const mine = grants.capabilities
  const isCovered = mine === null || (capabilities.length > 0 && capabilities.every((name) => mine.includes(name)))
  if (!isCovered) throw new AppError('forbidden', "This run may do more than this key's capabilities allow.")
}
