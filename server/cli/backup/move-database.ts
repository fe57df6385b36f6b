import { withCopyConnection } from './connection'
import { fillDatabase } from './fill-database'
import type { Progress } from './progress'
import { withSnapshot } from './snapshot'
import { requireNobodyConnected } from './target'

/**
 * Copies a database to another server, which need not have the same version. Both must be without
 * web and worker: what they wrote after the snapshot would be lost. Returns the number of rows.
 */
export async function moveDatabase(
  url: string,
  to: string,
  { replace, progress }: { replace: boolean; progress: Progress },
): Promise<number> {
  await withCopyConnection(url, (db) => requireNobodyConnected(db, 'the database to copy'))
  return withSnapshot(url, async ({ migrations, tables, sequences, read }) => {
    const counts = new Map<string, () => number>()
    const source = {
      migrations,
      tables,
      sequences,
      read: async (table: { name: string; columns: string[] }) => {
        const rows = await read(table)
        counts.set(table.name, () => rows.rowCount)
        return rows
      },
      rowsOf: ({ name }: { name: string }) => counts.get(name)?.() ?? 0,
    }
    return fillDatabase(to, source, { replace, progress })
  })
}
