import { listDatasets, noDataset } from '../../agent-tools/data/store'
import { runRead } from '../../db'
import { readCursor } from '../../errors'
import { isFileId } from '../../files/shape'
import { fileSpace } from '../../files/space'
import { paginate } from '../../kit/cursor'
import { statement } from '../../kit/statement'
import { siteNotFound } from '../../sites/find'
import { listSites } from '../../sites/list'
import { fileUrl } from '../jobs/attachments'
import type { FileList, FilePage, LibraryDataset, LibraryFile, LibrarySite } from './shape'

/** The jobs of an owner that made these things last, by what names them. */
const MAKERS = statement({
  name: 'library_makers',
  sql: `SELECT DISTINCT ON (a.ref) a.ref, a.job_id FROM artifact a JOIN job j ON j.id = a.job_id
    WHERE j.owner_id = $1 AND a.kind = $2 AND a.ref = ANY ($3) ORDER BY a.ref, j.updated_at DESC, a.job_id`,
  params: ['int', 'text', 'text[]'],
  columns: { ref: 'text', job_id: 'uuid' },
})

async function makersOf(ownerId: number, kind: 'dataset' | 'site', refs: string[]): Promise<Map<string, string>> {
  const rows = refs.length > 0 ? await runRead(MAKERS, [ownerId, kind, refs]) : []
  return new Map(rows.map(({ ref, job_id }) => [ref, job_id]))
}

const SIZES = statement({
  name: 'library_dataset_sizes',
  sql: 'SELECT name, octet_length(rows) AS bytes FROM dataset WHERE owner_id = $1',
  params: ['int'],
  columns: { name: 'text', bytes: 'int' },
})

/** An account's datasets by name. */
export async function listLibraryDatasets(ownerId: number): Promise<LibraryDataset[]> {
  const [datasets, sizes] = await Promise.all([listDatasets(ownerId), runRead(SIZES, [ownerId])])
  const makers = await makersOf(
    ownerId,
    'dataset',
    datasets.map(({ name }) => name),
  )
  const bytesOf = new Map(sizes.map(({ name, bytes }) => [name, bytes]))
  return datasets.map(({ name, columns, rowCount, createdAt, updatedAt }) => {
    const jobId = makers.get(name) ?? null
    return { name, columns, rowCount, bytes: bytesOf.get(name) ?? 0, jobId, createdAt, updatedAt }
  })
}

/** One of them. Throws `not_found`. */
export async function getLibraryDataset(ownerId: number, name: string): Promise<LibraryDataset> {
  const found = (await listLibraryDatasets(ownerId)).find((dataset) => dataset.name === name)
  if (!found) throw noDataset(name)
  return found
}

/** An account's sites by name. */
export async function listLibrarySites(ownerId: number): Promise<LibrarySite[]> {
  const sites = await listSites(ownerId)
  const makers = await makersOf(
    ownerId,
    'site',
    sites.map(({ slug }) => slug),
  )
  return sites.map((site) => ({ ...site, jobId: makers.get(site.slug) ?? null }))
}

/** One of them. Throws `not_found`. */
export async function getLibrarySite(ownerId: number, slug: string): Promise<LibrarySite> {
  const found = (await listLibrarySites(ownerId)).find((site) => site.slug === slug)
  if (!found) throw siteNotFound(slug)
  return found
}

const FILES = statement({
  name: 'library_files',
  sql: `SELECT f.id, f.content_type, f.bytes, f.created_at, m.job_id, coalesce(m.name, f.name) AS name, m.url FROM file f
    LEFT JOIN LATERAL (SELECT a.job_id, a.name, a.url FROM artifact a JOIN job j ON j.id = a.job_id AND j.owner_id = f.owner_id
      WHERE a.ref = f.id AND a.kind IN ('file', 'image', 'video') ORDER BY j.updated_at DESC, a.job_id LIMIT 1) m ON true
    WHERE f.owner_id = $1 AND ($2::timestamptz IS NULL OR (f.created_at, f.id) < ($2, $3))
    ORDER BY f.created_at DESC, f.id DESC LIMIT $4::int`,
  params: ['int', 'timestamptz', 'text', 'int'],
  columns: {
    id: 'text',
    content_type: 'text',
    bytes: 'int',
    created_at: 'timestamptz',
    job_id: 'uuid?',
    name: 'text?',
    url: 'text?',
  },
})

const kindOf = (contentType: string): LibraryFile['kind'] => {
  const [kind] = contentType.split('/')
  return kind === 'image' || kind === 'video' ? kind : 'file'
}

/**
 * Files of an account, newest first. Throws `invalid_request` for an invalid cursor.
 */
export async function listLibraryFiles(ownerId: number, { limit, cursor }: FilePage): Promise<FileList> {
  const after = readCursor(cursor, isFileId)
  const [found, { used, max }] = await Promise.all([
    runRead(FILES, [ownerId, after?.at ?? null, after?.id ?? null, limit + 1]),
    fileSpace(ownerId),
  ])
  const page = paginate(found, limit, ({ created_at: at, id }) => ({ at, id }))
  const files = page.rows.map(
    ({ id, content_type: contentType, bytes, created_at, job_id: jobId, name, url }): LibraryFile => ({
      ...{ id, name: name ?? id, kind: kindOf(contentType), url: url ?? fileUrl(id), contentType, bytes, jobId },
      createdAt: created_at.toISOString(),
    }),
  )
  return { files, usedBytes: used, maxBytes: max, nextCursor: page.nextCursor }
}
