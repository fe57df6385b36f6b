import { inAct, runIn } from '../db'
import { siteUrl } from '../env/site-hosting'
import { AppError, needsApproval } from '../errors'
import { LOCK_SITE, siteNotFound } from './find'

export type RolledBackSite = { url: string; version: number; replaced: number | null }

/**
 * Makes an earlier (or later) version of an owner's site the live one, also of a site that was
 * taken down. Throws `not_found`, and `conflict` where another version is live and may not be
 * replaced.
 */
export async function rollBackSite(
  ownerId: number,
  { slug, version, mayReplace = true }: { slug: string; version: number; mayReplace?: boolean },
): Promise<RolledBackSite> {
  return inAct(async (tx) => {
    // The lock keeps the version from being deleted before it is live.
    const [site] = await runIn(tx, LOCK_SITE, [slug, ownerId])
    if (!site) throw siteNotFound(slug)
    const isThere = await tx.siteVersion.count({ where: { slug, version, site: { ownerId } } })
    if (!isThere) {
      throw new AppError('not_found', `The site ${slug} has no version ${version}. site_list names those it has.`)
    }
    if (site.live === version) return { url: siteUrl(slug), version, replaced: version }
    if (!mayReplace) throw needsApproval(`Rolling the site ${slug} back`)
    await tx.site.update({ where: { slug, ownerId }, data: { live: version } })
    return { url: siteUrl(slug), version, replaced: site.live }
  })
}
