import { databaseUnavailable, isDatabaseUnavailable } from '../../db'
import { canPublishSites } from '../../sites/find'
import { readSitePage, type SitePage } from '../../sites/read'

export type { SitePage }

/** Whether this instance publishes sites at all. */
export const areSitesEnabled = (): boolean => canPublishSites()

/** A page of a live site, or null where there is no such site. Anyone may read it: no key, no session. */
export async function sitePage(slug: string, path: string): Promise<SitePage | null> {
  try {
    return await readSitePage(slug, path)
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}
