import { AppError } from '../../errors'
import { type CallerGrants, readCallerGrants, requireModel, requireScope } from '../../keys/grants'
import { getKey } from '../../keys/list'
import { resolveFor } from '../../kit/resolve'
import { requireCapabilities } from '../jobs/check-grants'
import { AUTO_MODEL } from '../jobs/choose-model'
import { checkStart } from '../jobs/start'
import type { RunStarter } from '../jobs/write-turn'
import { refusePrivateCallback } from '../webhooks/callback-url'
import { ScheduledStart } from './shape'

/** Why no run can start under a key any more; null where it can. Throws `not_found`. */
export async function findKeyFault({ ownerId, keyId }: Pick<RunStarter, 'ownerId' | 'keyId'>): Promise<string | null> {
  const { state, name } = await getKey(ownerId, keyId)
  if (state === 'revoked') return `The key "${name}" was revoked.`
  return state === 'expired' ? `The key "${name}" has expired.` : null
}

/**
 * Throws what the start of such a run would throw, whatever the key's credits, and `conflict` for a
 * key that was revoked or has expired.
 */
export async function checkScheduledStart(starter: RunStarter, request: ScheduledStart): Promise<void> {
  const { callbackUrl } = await checkStart(starter, request)
  if (callbackUrl !== null) await refusePrivateCallback(callbackUrl, resolveFor(String(starter.ownerId)))
  const fault = await findKeyFault(starter)
  if (fault) throw new AppError('conflict', `${fault} Choose another.`)
}

/** Who stops a schedule: a key with its grants, or the owner at the dashboard. */
export type ScheduleCaller = { ownerId: number; keyId: number | null; grants: CallerGrants | null }

/**
 * Throws `forbidden` for a key that may not stop a schedule, because its grants do not cover what
 * the schedule's runs may do.
 */
export async function checkScheduleGrants(
  { keyId, grants }: ScheduleCaller,
  schedule: { keyId: number; request: unknown },
): Promise<void> {
  if (!grants) return
  requireScope(grants, 'agent')
  if (keyId === schedule.keyId) return
  const { model, capabilities } = ScheduledStart.parse(schedule.request)
  if (model !== undefined && model !== AUTO_MODEL) requireModel(grants, model)
  requireCapabilities(grants, capabilities ?? (await readCallerGrants(schedule.keyId)).capabilities ?? [])
}
