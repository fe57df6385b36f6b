import { databaseDown, isDatabaseDown } from '../../db'
import { canPublishSites } from '../../sites/find'
import { readPage, type SitePage } from '../../sites/read'

export type { SitePage }

/** Whether this instance publishes sites at all. */
export const areSitesServed = (): boolean => canPublishSites()

/** A page of a live site, or null where there is no such site. Anyone may read it: no key, no session. */
export async function sitePage(slug: string, path: string): Promise<SitePage | null> {
  try {
    return await readPage(slug, path)
  } catch (error) {
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
}
