import { executeStatement, prisma, runRead, runStatement } from '../db'
import { removeBytes } from '../files/remove'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'
import { SiteFiles } from '../sites/shape'

/** Rows that one step deletes at most, of each kind. */
const JOBS = 50
const FILES = 100
const VERSIONS = 20

/** A job goes when none of its calls is in progress: those end and are charged first. */
const ENDED = `SELECT j.id FROM owner o JOIN job j ON j.owner_id = o.id
  WHERE o.deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.owner_id = o.id AND h.limit_id = j.id)`
const DELETE_JOBS = statement({
  name: 'deleted_owners_jobs',
  sql: `DELETE FROM job WHERE id IN (${ENDED} LIMIT ${JOBS} FOR UPDATE OF j SKIP LOCKED)`,
  params: [],
})
// A run that was about to start when its owner left.
const CANCEL_JOBS = statement({
  name: 'deleted_owners_cancel',
  sql: `SELECT agent_cancel(j.id, j.run_id, NULL) AS cancelled FROM owner o JOIN job j ON j.owner_id = o.id
    WHERE o.deleted_at IS NOT NULL AND j.status IN ('running', 'awaiting_input') LIMIT ${JOBS}`,
  params: [],
  columns: { cancelled: 'boolean' },
})
const FILES_LEFT = statement({
  name: 'deleted_owners_files',
  sql: `SELECT f.id FROM owner o JOIN file f ON f.owner_id = o.id WHERE o.deleted_at IS NOT NULL LIMIT ${FILES}`,
  params: [],
  columns: { id: 'text' },
})
const VERSIONS_LEFT = statement({
  name: 'deleted_owners_site_versions',
  sql: `SELECT v.slug, v.version, v.files FROM owner o JOIN site s ON s.owner_id = o.id
    JOIN site_version v ON v.slug = s.slug WHERE o.deleted_at IS NOT NULL LIMIT ${VERSIONS}`,
  params: [],
  columns: { slug: 'text', version: 'int', files: 'jsonb' },
})
const DELETE_SITES = statement({
  name: 'deleted_owners_sites',
  sql: `DELETE FROM site s USING owner o WHERE o.id = s.owner_id AND o.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM site_version v WHERE v.slug = s.slug)`,
  params: [],
})
const COUNT = statement({
  name: 'deleted_owners_count',
  sql: `SELECT ((SELECT count(*) FROM (${ENDED}) j)
    + (SELECT count(*) FROM owner o JOIN file f ON f.owner_id = o.id WHERE o.deleted_at IS NOT NULL)
    + (SELECT count(*) FROM owner o JOIN site s ON s.owner_id = o.id WHERE o.deleted_at IS NOT NULL))::int AS n`,
  params: [],
  columns: { n: 'int' },
})

/** Bytes first: a row whose bytes are gone is found again, bytes without a row are not. */
async function deleteFiles(): Promise<number> {
  const files = await runStatement(FILES_LEFT, [])
  for (const { id } of files) {
    await removeBytes(id)
    await prisma().file.deleteMany({ where: { id } })
  }
  return files.length
}

async function deleteSites(): Promise<number> {
  const versions = await runStatement(VERSIONS_LEFT, [])
  for (const { slug, version, files } of versions) {
    for (const { fileId } of SiteFiles.parse(files)) await removeBytes(fileId)
    await prisma().siteVersion.deleteMany({ where: { slug, version } })
  }
  return versions.length
}

/** What owners who deleted their accounts had stored. */
export const remainsOfDeletedOwners = (): RetentionTask => ({
  name: 'jobs, files and sites of deleted accounts',
  count: async () => (await runRead(COUNT, []))[0]?.n ?? 0,
  step: async () => {
    await runStatement(CANCEL_JOBS, [])
    const jobs = await executeStatement(DELETE_JOBS, [])
    const files = await deleteFiles()
    const versions = await deleteSites()
    const sites = await executeStatement(DELETE_SITES, [])
    return {
      deleted: jobs + files + versions + sites,
      more: jobs === JOBS || files === FILES || versions === VERSIONS,
    }
  },
})
