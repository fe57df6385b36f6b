import { prisma } from '../db'
import { AppError, needsApproval } from '../errors'
import { filesOf, noSuchSite, siteUrl } from './find'

export type RolledBack = { url: string; version: number; replaced: number | null }

/**
 * Makes an earlier (or later) version of an owner's site the live one, also of a site that was taken down. Throws
 * `not_found`, and `conflict` where another version is live and may not be replaced.
 */
export async function rollBackSite(
  ownerId: number,
  { slug, version, mayReplace = true }: { slug: string; version: number; mayReplace?: boolean },
): Promise<RolledBack> {
  const site = await prisma().site.findUnique({ where: { slug, ownerId }, select: { live: true } })
  if (!site) throw noSuchSite(slug)
  if (!(await filesOf(ownerId, slug, version))) {
    throw new AppError('not_found', `The site ${slug} has no version ${version}. site_list names those it has.`)
  }
  if (site.live === version) return { url: siteUrl(slug), version, replaced: version }
  if (!mayReplace) throw needsApproval(`Rolling the site ${slug} back`)
  await prisma().site.update({ where: { slug, ownerId }, data: { live: version } })
  return { url: siteUrl(slug), version, replaced: site.live }
}
