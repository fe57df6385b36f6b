import { inTransaction, runIn, runRead } from '../db'
import { env } from '../env'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const SITES = 50

/** Versions of a site `s` that are neither live nor among its newest $1. */
const OLD = `v.slug = s.slug AND v.version IS DISTINCT FROM s.live AND v.version <
  (SELECT n.version FROM site_version n WHERE n.slug = s.slug ORDER BY n.version DESC OFFSET $1::int - 1 LIMIT 1)`

const COUNT = statement({
  name: 'site_versions_count',
  sql: `SELECT count(*)::int AS n FROM site s JOIN site_version v ON ${OLD}`,
  params: ['int'],
  columns: { n: 'int' },
})
const LOCK_SITES = statement({
  name: 'site_versions_lock',
  sql: `SELECT s.slug FROM site s WHERE s.slug > $2 AND EXISTS (SELECT 1 FROM site_version v WHERE ${OLD})
    ORDER BY s.slug LIMIT ${SITES} FOR UPDATE SKIP LOCKED`,
  params: ['int', 'text'],
  columns: { slug: 'text' },
})
const DELETE = statement({
  name: 'site_versions_delete',
  sql: `WITH deleted AS (
      DELETE FROM site_version v USING site s WHERE s.slug = ANY ($2::text[]) AND ${OLD} RETURNING 1
    ) SELECT count(*)::int AS deleted FROM deleted`,
  params: ['int', 'text[]'],
  columns: { deleted: 'int' },
})

/**
 * Versions of sites beyond the newest RETAIN_SITE_VERSIONS; the live one is always kept. Their
 * files are deleted as files that nothing refers to.
 */
export function oldSiteVersions(kept = env().RETAIN_SITE_VERSIONS): RetentionTask | null {
  if (kept === 0) return null
  let last = ''
  const count = async () => {
    return (await runRead(COUNT, [kept], { withinMs: 60_000 }))[0]?.n ?? 0
  }
  const step = () =>
    inTransaction(async (tx) => {
      // A rollback locks the site's row before it looks for the version.
      const rows = await runIn(tx, LOCK_SITES, [kept, last])
      const slugs = rows.map(({ slug }) => slug)
      if (slugs.length === 0) return { deleted: 0, more: false }
      const [row] = await runIn(tx, DELETE, [kept, slugs])
      last = slugs.at(-1) ?? last
      return { deleted: row?.deleted ?? 0, more: true }
    })
  return { name: 'versions of sites', count, step }
}
