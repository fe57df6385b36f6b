import { AppError } from '../../errors'
import { type CallerGrants, requireModel, requireScope } from '../../keys/grants'
import type { JobState } from './read-job'

/**
 * Throws `forbidden` for a key that may not answer or cancel a run, because its grants do not cover
 * the run's model and capabilities. `grants` is null for the owner at the dashboard, who may.
 */
export function checkJobGrants(
  { model, capabilities }: Pick<JobState, 'model' | 'capabilities'>,
  grants: CallerGrants | null,
): void {
  if (!grants) return
  requireScope(grants, 'agent')
  requireModel(grants, model)
  requireCapabilities(grants, capabilities)
}

/**
 * Throws `forbidden` for a key whose capabilities do not cover those of a run; none: unconfined.
 */
export function requireCapabilities({ capabilities: allowed }: CallerGrants, capabilities: readonly string[]): void {
  const isCovered =
    allowed === null || (capabilities.length > 0 && capabilities.every((name) => allowed.includes(name)))
  if (!isCovered) throw new AppError('forbidden', "This run may do more than this key's capabilities allow.")
}
