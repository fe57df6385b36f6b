import { prisma } from '../db'
import { noSuchSite } from './find'

/** Stops serving an owner's site. Its versions and its name are kept: a rollback serves it again. */
export async function takeDownSite(ownerId: number, slug: string): Promise<{ slug: string; wasLive: number | null }> {
  const site = await prisma().site.findUnique({ where: { slug, ownerId }, select: { live: true } })
  if (!site) throw noSuchSite(slug)
  await prisma().site.update({ where: { slug, ownerId }, data: { live: null } })
  return { slug, wasLive: site.live }
}
