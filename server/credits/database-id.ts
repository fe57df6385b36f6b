import { runStatement } from '../db'
import { statement } from '../kit/statement'

/** Made by the first migration; a backup leaves it out, so a restored database has another one. */
const DATABASE_ID = statement({
  name: 'database_id',
  sql: 'SELECT id::text FROM _prisma_migrations ORDER BY started_at, id LIMIT 1',
  params: [],
  columns: { id: 'text' },
})

const state = { id: null as string | null }

/** The id of this process's database, null before it was read. */
export const knownDatabaseId = (): string | null => state.id

/** Reads the id of the database, by which a journal is bound to it. */
export async function readDatabaseId(): Promise<string | null> {
  state.id ??= (await runStatement(DATABASE_ID, []))[0]?.id ?? null
  return state.id
}
