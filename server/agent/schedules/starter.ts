import { readCallerGrants } from '../../keys/grants'
import { getKey } from '../../keys/list'
import type { RunStarter } from '../jobs/write-turn'
import { readSchedule } from './read'

/** A key, with its grants, as the one that runs start under. Throws `not_found`. */
export async function starterOf(ownerId: number, keyId: number): Promise<RunStarter> {
  await getKey(ownerId, keyId)
  return { ownerId, keyId, grants: await readCallerGrants(keyId) }
}

/** The starter of a schedule's runs. Throws `not_found`, also for another owner's schedule. */
export async function starterOfSchedule(ownerId: number, scheduleId: string): Promise<RunStarter> {
  return starterOf(ownerId, (await readSchedule(ownerId, scheduleId)).keyId)
}
