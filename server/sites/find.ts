import { prisma } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import { type SiteFile, SiteFiles } from './shape'

/**
 * Whether sites are published. On the operator's host a stranger's page could pass for the sign-in
 * page, so outside the sandbox sites need SITES_URL.
 */
export const canPublishSites = (): boolean => env().sandbox || env().SITES_URL !== undefined

export const siteNotFound = (slug: string): AppError => new AppError('not_found', `You have no site ${slug}.`)

/** Locks an owner's site for a transaction, and says which version is live. */
export const LOCK_SITE = statement({
  name: 'site_lock',
  sql: 'SELECT live FROM site WHERE slug = $1 AND owner_id = $2 FOR UPDATE',
  params: ['text', 'int'],
  columns: { live: 'int?' },
})

/** The state of an owner's site: its live version, and the number of its next one. */
export type SiteState = { live: { version: number; files: SiteFile[] } | null; next: number }

export async function findSite(ownerId: number, slug: string): Promise<SiteState | null> {
  const site = await prisma().site.findUnique({
    where: { slug, ownerId },
    select: { live: true, versions: { select: { version: true }, orderBy: { version: 'desc' }, take: 1 } },
  })
  if (!site) return null
  const next = (site.versions[0]?.version ?? 0) + 1
  if (site.live === null) return { live: null, next }
  return { live: { version: site.live, files: (await filesOfVersion(ownerId, slug, site.live)) ?? [] }, next }
}

/** The files of one version of an owner's site; null where it does not exist. */
export async function filesOfVersion(ownerId: number, slug: string, version: number): Promise<SiteFile[] | null> {
  const found = await prisma().siteVersion.findFirst({
    where: { slug, version, site: { ownerId } },
    select: { files: true },
  })
  return found && SiteFiles.parse(found.files)
}
