import { inAct } from '../db'
import { needsApproval } from '../errors'
import { siteNotFound } from './find'

/**
 * Stops serving an owner's site, and its previews. Its versions and its name are kept: a rollback
 * serves it again.
 * Throws `not_found`, and `conflict` where it is live and may not be taken down.
 */
export async function takeDownSite(
  ownerId: number,
  { slug, mayReplace = true }: { slug: string; mayReplace?: boolean },
): Promise<{ slug: string; wasLive: number | null }> {
  return inAct(async (tx) => {
    const site = await tx.site.findUnique({ where: { slug, ownerId }, select: { live: true } })
    if (!site) throw siteNotFound(slug)
    // A preview is seen by those who have its address alone, so ending it needs no approval.
    await tx.siteVersion.updateMany({ where: { slug, preview: { not: null } }, data: { preview: null } })
    if (site.live === null) return { slug, wasLive: null }
    if (!mayReplace) throw needsApproval(`Taking the site ${slug} down`)
    await tx.site.update({ where: { slug, ownerId }, data: { live: null } })
    return { slug, wasLive: site.live }
  })
}

/**
 * Ends the preview of a version of an owner's site: its address is not found from now on, and the
 * version stays. Without a preview nothing changes. Throws `not_found`.
 */
export async function endPreview(
  ownerId: number,
  { slug, version }: { slug: string; version: number },
): Promise<{ slug: string; version: number }> {
  return inAct(async (tx) => {
    const { count } = await tx.siteVersion.updateMany({
      where: { slug, version, site: { ownerId } },
      data: { preview: null },
    })
    if (count === 0) throw siteNotFound(slug)
    return { slug, version }
  })
}
