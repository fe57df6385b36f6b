import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { prisma } from '../db'
import { AppError } from '../errors'
import { fileStore } from '../files/store'
import { isTextType } from './content-type'
import { filesOfVersion } from './find'
import { isSlug, type SiteFile, SiteFiles, type SitePage } from './shape'

type Files = ReadonlyMap<string, SiteFile>

/** The files of recently read versions: a version never changes. */
const versions = new LRUCache<string, Files>({ max: 200 })

async function liveFiles(slug: string): Promise<Files | null> {
  const site = await prisma().site.findUnique({ where: { slug }, select: { live: true } })
  if (!site || site.live === null) return null
  const name = `${slug}@${site.live}`
  const known = versions.get(name)
  if (known) return known
  const found = await prisma().siteVersion.findUnique({
    where: { slug_version: { slug, version: site.live } },
    select: { files: true },
  })
  if (!found) return null
  const files = new Map(SiteFiles.parse(found.files).map((file) => [file.path, file]))
  versions.set(name, files)
  return files
}

/**
 * The page of a live site at a path (decoded, without the site's own part; '' and paths that end
 * with a slash are folders). Null: the site is not live. Sites are public.
 */
export async function readSitePage(slug: string, path: string): Promise<SitePage | null> {
  const files = isSlug(slug) ? await liveFiles(slug) : null
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
