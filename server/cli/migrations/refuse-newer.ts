import { isDatabaseUnavailable, mainPool } from '../../db'
import { CliError } from '../kit/project'
import { migrationState, newerVersionText } from './state'

/**
 * Throws a CliError where a newer release has migrated the database that this one does not work
 * with: it would write to tables whose meaning has changed. One that is away is left to whoever
 * needs it.
 */
export async function refuseNewerDatabase(): Promise<void> {
  const state = await migrationState(mainPool()).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null
    throw error
  })
  if (state && state.unknown.length > 0) throw new CliError(newerVersionText(state))
}
