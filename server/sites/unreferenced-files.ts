import { executeStatement, runRead, runStatement } from '../db'
import { env } from '../env'
import { isStoredName } from '../files/shape'
import { fileStore } from '../files/store'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const DAY_MS = 86_400_000
/** Files one step deletes at most. */
const STEP = 300

/** Of the given ids, those that a hosted file or a version of a site refers to. */
const REFERRED = statement({
  name: 'files_referred',
  sql: `SELECT id FROM unnest($1::text[]) AS given (id)
  WHERE EXISTS (SELECT 1 FROM file f WHERE f.id = given.id)
    OR EXISTS (SELECT 1 FROM site_version v WHERE v.files @> jsonb_build_array(jsonb_build_object('fileId', given.id)))`,
  params: ['text[]'],
  columns: { id: 'text' },
})

/**
 * Some of what is stored after a name: where to go on, and what nothing refers to and nobody has
 * written for `days`.
 */
async function lostAfter(name: string, days: number) {
  const page = await fileStore().list(name)
  const before = Date.now() - days * DAY_MS
  const old = page.filter(({ name, at }) => isStoredName(name) && at.getTime() < before).slice(0, STEP)
  const last = (old.length === STEP ? old : page).at(-1)?.name
  const rows = await runRead(REFERRED, [old.map((s) => s.name)], { withinMs: 60_000 })
  const referred = new Set(rows.map(({ id }) => id))
  return { last, lost: old.filter((s) => !referred.has(s.name)) }
}

const WALK = statement({
  name: 'files_walk',
  sql: `UPDATE retention SET started_at = CASE WHEN cursor IS NULL THEN now() ELSE started_at END,
      cursor = coalesce(cursor, '')
    WHERE name = 'files' AND (cursor IS NOT NULL OR started_at IS NULL OR started_at < now() - interval '1 day')
    RETURNING cursor`,
  params: [],
  columns: { cursor: 'text?' },
})
const SAVE_CURSOR = statement({
  name: 'files_save_cursor',
  sql: `UPDATE retention SET cursor = $1 WHERE name = 'files'`,
  params: ['text'],
})

/**
 * Begins the day's walk through the store, or goes on with it: from which name on. Null: today's is
 * done.
 */
async function walkFrom(): Promise<string | null> {
  const [row] = await runStatement(WALK, [])
  return row?.cursor ?? null
}

/**
 * Stored bytes that no file and no site refers to, written more than RETAIN_LOST_FILES_DAYS ago:
 * left by a crash or by a deleted version of a site. The store is scanned once a day, with `always`
 * at once.
 */
export function unreferencedFiles({ days = env().RETAIN_LOST_FILES_DAYS, always = false } = {}): RetentionTask | null {
  if (days === 0) return null
  let at: string | null | undefined = always ? '' : undefined
  const count = async () => {
    let sum = 0
    for (let name: string | undefined = ''; name !== undefined; ) {
      const { last, lost } = await lostAfter(name, days)
      sum += lost.length
      name = last
    }
    return sum
  }
  const step = async () => {
    at ??= await walkFrom()
    if (at === null) return { deleted: 0, more: false }
    const { last, lost } = await lostAfter(at, days)
    let deleted = 0
    for (const file of lost) if (await fileStore().remove(file)) deleted++
    if (!always) await executeStatement(SAVE_CURSOR, [last ?? null])
    at = last ?? null
    return { deleted, more: last !== undefined }
  }
  return { name: 'files that nothing refers to', count, step }
}
