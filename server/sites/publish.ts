import { randomBytes } from 'node:crypto'
import { inTransaction, prisma, runIn, type Transaction } from '../db'
import { siteUrl } from '../env/site-hosting'
import { AppError, needsApproval } from '../errors'
import { fileStore } from '../files/store'
import { statement } from '../kit/statement'
import { diffFiles, isUnchanged, type SiteDiff } from './diff'
import { type DraftFile, makeDraft } from './draft'
import { findSite, LOCK_SITE } from './find'
import { MAX_SITES, type SiteFileInput, SiteFiles } from './shape'

/** Files written at the same time. */
const CONCURRENCY = 8

export type PublishedSite = { url: string; version: number; replaced: number | null; isPublic: boolean } & SiteDiff

type Publication = { slug: string; mayReplace?: boolean; isPreview?: boolean }

/**
 * Publishes files as the next version of an owner's site and makes it live in one transaction: a
 * visitor sees the old version or the new one. Concurrent publications get different numbers, and
 * the last one stays live. Files that are live already are not published again. With `isPreview`
 * the version is not made live: whoever has its address, which nobody guesses, sees it. Where that
 * is the newest version and has the same files, publishing makes it live. Throws
 * `invalid_request` for a slug of somebody else, and `conflict` when the site is live with other
 * files that may not be replaced.
 */
export async function publishSite(
  ownerId: number,
  { slug, files, mayReplace = true, isPreview = false }: Publication & { files: readonly SiteFileInput[] },
): Promise<PublishedSite> {
  const draft = makeDraft(ownerId, files)
  const before = await findSite(ownerId, slug)
  if (!before) await checkFree(ownerId, slug)
  const live = before?.live
  if (live && isUnchanged(diffFiles(live.files, draft))) {
    return {
      url: siteUrl(slug),
      version: live.version,
      replaced: null,
      isPublic: true,
      added: 0,
      changed: 0,
      removed: 0,
    }
  }
  await storeFiles(draft, new Set(live?.files.map(({ fileId }) => fileId)))
  return inTransaction((tx) => addVersion(tx, { ownerId, slug, draft, mayReplace, isPreview }), {
    maxWait: 15_000,
    timeout: 15_000,
  })
}

const taken = (slug: string) => new AppError('invalid_request', `The name ${slug} is taken. Choose another.`)

async function checkFree(ownerId: number, slug: string): Promise<void> {
  // Only whether the name exists, whoever owns it.
  if (await prisma().site.findUnique({ where: { slug }, select: { slug: true } })) throw taken(slug)
  if ((await prisma().site.count({ where: { ownerId } })) >= MAX_SITES) {
    throw new AppError('invalid_request', `You have ${MAX_SITES} sites, the maximum. Publish to one of them.`)
  }
}

/**
 * Stores the bytes. They come first: a crash leaves bytes without a row, never a page without
 * bytes.
 */
async function storeFiles(draft: readonly DraftFile[], known: ReadonlySet<string>): Promise<void> {
  const left = [...new Map(draft.filter(({ fileId }) => !known.has(fileId)).map((f) => [f.fileId, f])).values()]
  const next = async (): Promise<void> => {
    for (let file = left.pop(); file; file = left.pop())
      await fileStore().put(file.fileId, file.content, file.contentType)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, next))
}

const INSERT_SITE = statement({
  name: 'site_insert',
  sql: 'INSERT INTO site (slug, owner_id) VALUES ($1, $2) ON CONFLICT (slug) DO NOTHING',
  params: ['text', 'int'],
})

async function addVersion(
  tx: Transaction,
  {
    ownerId,
    slug,
    draft,
    mayReplace,
    isPreview,
  }: Required<Publication> & { ownerId: number; draft: readonly DraftFile[] },
): Promise<PublishedSite> {
  // The row lock makes concurrent publications wait.
  await runIn(tx, INSERT_SITE, [slug, ownerId])
  const [site] = await runIn(tx, LOCK_SITE, [slug, ownerId])
  if (!site) throw taken(slug)
  if (site.live !== null && !mayReplace && !isPreview) throw needsApproval(`Replacing the site ${slug}`)
  const newest = await tx.siteVersion.findFirst({ where: { slug, site: { ownerId } }, orderBy: { version: 'desc' } })
  const live = site.live === null ? null : await tx.siteVersion.findFirst({ where: { slug, version: site.live } })
  const files = draft.map(({ path, fileId, contentType, bytes }) => ({ path, fileId, contentType, bytes }))
  const shown = newest?.preview && isUnchanged(diffFiles(SiteFiles.parse(newest.files), files)) ? newest : null
  const version = shown?.version ?? (newest?.version ?? 0) + 1
  const preview = isPreview ? (shown?.preview ?? `p-${randomBytes(16).toString('hex')}`) : null
  if (!shown) await tx.siteVersion.create({ data: { slug, version, files, preview } })
  const difference = diffFiles(live ? SiteFiles.parse(live.files) : [], files)
  if (preview !== null) return { url: siteUrl(preview), version, replaced: null, isPublic: false, ...difference }
  await tx.site.update({ where: { slug, ownerId }, data: { live: version } })
  return { url: siteUrl(slug), version, replaced: site.live, isPublic: true, ...difference }
}
