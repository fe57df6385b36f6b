import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { prisma } from '../db'
import { AppError } from '../errors'
import { fileStore } from '../files/store'
import { isTextType } from './content-type'
import { filesOfVersion } from './find'
import { isPreviewName, isSlug, type SiteFile, SiteFiles, type SitePage } from './shape'

type Files = ReadonlyMap<string, SiteFile>

/** The files of recently read versions: a version never changes. */
const versions = new LRUCache<string, Files>({ max: 200 })

/** The version that a name in an address stands for; null: none, or none that is served. */
async function versionAt(name: string): Promise<{ slug: string; version: number } | null> {
  if (isPreviewName(name))
    return prisma().siteVersion.findUnique({ where: { preview: name }, select: { slug: true, version: true } })
  if (!isSlug(name)) return null
  const site = await prisma().site.findUnique({ where: { slug: name }, select: { live: true } })
  return site && site.live !== null ? { slug: name, version: site.live } : null
}

async function filesAt(name: string): Promise<Files | null> {
  const at = await versionAt(name)
  if (!at) return null
  const key = `${at.slug}@${at.version}`
  const known = versions.get(key)
  if (known) return known
  const found = await prisma().siteVersion.findUnique({ where: { slug_version: at }, select: { files: true } })
  if (!found) return null
  const files = new Map(SiteFiles.parse(found.files).map((file) => [file.path, file]))
  versions.set(key, files)
  return files
}

/**
 * The page of a live site, or of a preview, at a path (decoded, without the site's own part; ''
 * and paths that end with a slash are folders). Null: the site is not live. Sites are public.
 */
export async function readSitePage(name: string, path: string): Promise<SitePage | null> {
  const files = await filesAt(name)
  if (!files) return null
  const isFolder = path === '' || path.endsWith('/')
  const exact = files.get(isFolder ? `${path}index.html` : path.normalize('NFC'))
  if (exact) return pageOf(exact, 200)
  if (!isFolder && files.has(`${path}/index.html`)) return { kind: 'folder' }
  const missing = files.get('404.html')
  return missing ? pageOf(missing, 404) : { kind: 'none' }
}

const pageOf = (file: SiteFile, status: 200 | 404): SitePage => ({
  kind: 'file',
  status,
  file,
  open: () => fileStore().get(file.fileId),
})

/**
 * The text of one file of an owner's site. Throws `not_found`, or `invalid_request` for a file that
 * is not text.
 */
export async function readSiteText(
  ownerId: number,
  slug: string,
  at: { version: number; path: string },
): Promise<string> {
  const file = (await filesOfVersion(ownerId, slug, at.version))?.find(({ path }) => path === at.path)
  if (!file) throw new AppError('not_found', `Version ${at.version} of ${slug} has no file ${at.path}.`)
  if (!isTextType(file.contentType)) {
    throw new AppError('invalid_request', `${at.path} is ${file.contentType}: only text can be read.`)
  }
  const content = await fileStore().get(file.fileId)
  if (!content) throw new AppError('not_found', `The content of ${at.path} is no longer stored.`)
  return (await buffer(content)).toString('utf8')
}
