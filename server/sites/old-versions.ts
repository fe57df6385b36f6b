import { inTransaction, runRead } from '../db'
import { env } from '../env'
import type { RetentionTask } from '../kit/retention-task'

const SITES = 50

/** Versions of a site `s` that are neither live nor among its newest $1. */
const OLD = `v.slug = s.slug AND v.version IS DISTINCT FROM s.live AND v.version <
  (SELECT n.version FROM site_version n WHERE n.slug = s.slug ORDER BY n.version DESC OFFSET $1 - 1 LIMIT 1)`

/**
 * Versions of sites beyond the newest RETAIN_SITE_VERSIONS; the live one is always kept. Their files are deleted as files
 * that nothing refers to.
 */
export function oldSiteVersions(kept = env().RETAIN_SITE_VERSIONS): RetentionTask | null {
  if (kept === 0) return null
  let last = ''
  const count = async () => {
    const sql = `SELECT count(*)::int AS n FROM site s JOIN site_version v ON ${OLD}`
    return (await runRead<{ n: number }>(sql, [kept], { withinMs: 60_000 }))[0]?.n ?? 0
  }
  const step = () =>
    inTransaction(async (db) => {
      // Whoever rolls a site back holds its row from before looking for the version until after making it live.
      const { rows } = await db.query<{ slug: string }>(
        `SELECT s.slug FROM site s WHERE s.slug > $2 AND EXISTS (SELECT 1 FROM site_version v WHERE ${OLD})
         ORDER BY s.slug LIMIT ${SITES} FOR UPDATE SKIP LOCKED`,
        [kept, last],
      )
      const slugs = rows.map(({ slug }) => slug)
      if (slugs.length === 0) return { deleted: 0, more: false }
      const { rowCount } = await db.query(
        `DELETE FROM site_version v USING site s WHERE s.slug = ANY ($2) AND ${OLD}`,
        [kept, slugs],
      )
      last = slugs.at(-1) ?? last
      return { deleted: rowCount ?? 0, more: true }
    })
  return { name: 'versions of sites', count, step }
}
