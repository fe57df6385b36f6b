import { databaseUnavailable, isDatabaseUnavailable } from '../../db'
import { findHostedFile, type HostedFile } from '../../files/read'

export type { HostedFile }

/** A hosted file or null. Anyone who has a file's id may read it: no key, no session. */
export async function hostedFile(id: string): Promise<HostedFile | null> {
  try {
    return await findHostedFile(id)
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}
