import { CliError } from '../kit/project'
import { deployMigrations } from '../migrations/deploy'
import { withCopyConnection } from './connection'
import { type CopySource, loadTables } from './load'
import type { Progress } from './progress'
import { prepareTarget, requireFreeTarget, requireKnownMigrations } from './target'

/**
 * Fills a database from a backup or a snapshot: brings it to the source's migrations, loads in one
 * transaction, and applies the migrations that are newer. Until then it stays, or becomes again,
 * what it was. Returns the number of rows. Throws a CliError that says what is wrong.
 */
export async function fillDatabase(
  url: string,
  source: CopySource,
  { replace, progress }: { replace: boolean; progress: Progress },
): Promise<number> {
  requireKnownMigrations(source.migrations)
  return withCopyConnection(url, async (db) => {
    await requireFreeTarget(db, { replace })
    const prepared = await prepareTarget(db, url, source.migrations)
    let rows: number
    try {
      rows = await loadTables(db, source, progress)
    } catch (error) {
      await prepared.undo()
      const why = (error as Error).message.replace(/\.$/, '')
      throw new CliError(`Nothing was written: ${why}. The database is as it was.`)
    }
    await prepared.finish()
    await deployMigrations(url)
    progress('  collecting statistics for the planner')
    await db.query('ANALYZE')
    return rows
  })
}
