import { databaseDown, isDatabaseDown } from '../../db'
import { type HostedFile, readFile } from '../../files/read'

export type { HostedFile }

/** A hosted file or null. Anyone who has a file's id may read it: no key, no session. */
export async function hostedFile(id: string): Promise<HostedFile | null> {
  try {
    return await readFile(id)
  } catch (error) {
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
}
