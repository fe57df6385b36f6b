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

export type PublishedSite = { url: string; version: number; replaced: number | null } & SiteDiff

/**
 * Publishes files as the next version of an owner's site and makes it live in one transaction: a
 * visitor sees the old version or the new one. Concurrent publications get different numbers, and
 * the last one stays live. Files that are live already are not published again. Throws
 * `invalid_request` for a slug of somebody else, and `conflict` when the site is live with other
 * files that may not be replaced.
 */
export async function publishSite(
  ownerId: number,
  { slug, files, mayReplace = true }: { slug: string; files: readonly SiteFileInput[]; mayReplace?: boolean },
): Promise<PublishedSite> {
  const draft = makeDraft(ownerId, files)
  const before = await findSite(ownerId, slug)
  if (!before) await checkFree(ownerId, slug)
  const live = before?.live
  if (live && isUnchanged(diffFiles(live.files, draft))) {
    return { url: siteUrl(slug), version: live.version, replaced: null, added: 0, changed: 0, removed: 0 }
  }
  await storeFiles(draft, new Set(live?.files.map(({ fileId }) => fileId)))
  return inTransaction((tx) => goLive(tx, { ownerId, slug, draft, mayReplace }), {
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

async function goLive(
  tx: Transaction,
  {
    ownerId,
    slug,
    draft,
    mayReplace,
  }: { ownerId: number; slug: string; draft: readonly DraftFile[]; mayReplace: boolean },
): Promise<PublishedSite> {
  // The row lock makes concurrent publications wait.
  await runIn(tx, INSERT_SITE, [slug, ownerId])
  const [site] = await runIn(tx, LOCK_SITE, [slug, ownerId])
  if (!site) throw taken(slug)
  if (site.live !== null && !mayReplace) throw needsApproval(`Replacing the site ${slug}`)
  const { _max } = await tx.siteVersion.aggregate({ where: { slug, site: { ownerId } }, _max: { version: true } })
  const replaced = site.live === null ? null : await tx.siteVersion.findFirst({ where: { slug, version: site.live } })
  const version = (_max.version ?? 0) + 1
  const files = draft.map(({ path, fileId, contentType, bytes }) => ({ path, fileId, contentType, bytes }))
  await tx.siteVersion.create({ data: { slug, version, files } })
  await tx.site.update({ where: { slug, ownerId }, data: { live: version } })
  const difference = diffFiles(replaced ? SiteFiles.parse(replaced.files) : [], files)
  return { url: siteUrl(slug), version, replaced: site.live, ...difference }
}
