import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareQueue } from '../../agent/queue/setup'
import { CliError } from '../kit/project'
import { recordCompatibleFrom } from './compatibility'
import { describeDatabaseError } from './database-error'
import { ENGINE_FILTERS, migrationList } from './files'
import { hasQueues } from './queue-state'
import { missingRights } from './rights'
import { failedText, MIGRATION_LOCK, migrationState, newerVersionText } from './state'

/** Prisma's engine: most starts have nothing to apply, and do without. */
const loadEngine = () => import('./engine')

/**
 * Applies the migrations that are not applied yet, and the queue's tables. Returns the names.
 * Several processes may call it at once: they run one after the other, however long it takes (the
 * engine's lock times out after 10 s). Throws a CliError that says what is wrong with the database
 * or the migration. A database of a newer release that this one still works with is left alone.
 */
export async function deployMigrations(
  url: string,
  { folder, onWait }: { folder?: string; onWait?: () => void } = {},
): Promise<string[]> {
  return withGate(url, onWait, async (gate) => {
    const state = await migrationState(gate, folder)
    if (state.unknown.length > 0) throw new CliError(newerVersionText(state))
    const problem = state.failed ? failedText(state.failed) : await missingRights(gate)
    if (problem) throw new CliError(`${problem.text} ${problem.advice}`)
    // Before, so that no older release starts halfway; after, where a migration made the table.
    await recordCompatibleFrom(gate, folder)
    const applied = state.missing.length === 0 ? [] : await applyAll(url, folder)
    if (applied.length > 0) await recordCompatibleFrom(gate, folder)
    if (folder === undefined && !(await hasQueues(gate))) await prepareQueue(url)
    return applied
  })
}

async function applyAll(url: string, folder: string | undefined): Promise<string[]> {
  const input = { migrationsList: migrationList(folder), filters: ENGINE_FILTERS }
  const done = await (await loadEngine()).withServerEngine(url, (engine) => engine.applyMigrations(input))
  return done.appliedMigrationNames
}

/** What is wrong between the migrations on disk and those of the database, a line each. */
export async function migrationProblems(url: string, folder?: string): Promise<string[]> {
  return withGate(url, undefined, async () => {
    const input = { migrationsList: migrationList(folder), optInToShadowDatabase: false, filters: ENGINE_FILTERS }
    const found = await (await loadEngine()).withServerEngine(url, (engine) => engine.diagnoseMigrationHistory(input))
    const { history } = found
    const missing = history && 'unappliedMigrationNames' in history ? history.unappliedMigrationNames : []
    const unknown = history && 'unpersistedMigrationNames' in history ? history.unpersistedMigrationNames : []
    return [
      ...found.editedMigrationNames.map((name) => `${name} was edited after it was applied`),
      ...found.failedMigrationNames.map((name) => `${name} failed half-way`),
      ...missing.map((name) => `${name} is not applied`),
      ...unknown.map((name) => `${name} is applied but its file is missing`),
    ]
  })
}

/** Marks a failed migration as rolled back, so that the next deploy tries it again. */
export async function markRolledBack(url: string, migrationName: string): Promise<void> {
  await withGate(url, undefined, async () =>
    (await loadEngine()).withServerEngine(url, (engine) => engine.markMigrationRolledBack({ migrationName })),
  )
}

/** How often a process asks whether its turn to migrate has come. */
const ASK_MS = 100

const isMine = async (gate: pg.Client): Promise<boolean> =>
  (await gate.query('SELECT pg_try_advisory_lock($1) AS mine', [MIGRATION_LOCK])).rows[0].mine

async function withGate<T>(url: string, onWait: (() => void) | undefined, work: (gate: pg.Client) => Promise<T>) {
  let gate: pg.Client | undefined
  try {
    // Reads the files that the address names.
    gate = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'tollgate gate' })
    gate.on('error', () => {})
    await gate.connect()
    if (!(await isMine(gate))) {
      onWait?.()
      // CREATE INDEX CONCURRENTLY waits for statements, so nobody waits for it inside one.
      while (!(await isMine(gate))) await sleep(ASK_MS)
    }
    return await work(gate)
  } catch (error) {
    throw describeDatabaseError(error, url)
  } finally {
    await gate?.end().catch(() => {})
  }
}
