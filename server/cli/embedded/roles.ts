import pg from 'pg'
import { MIGRATION_LOCK } from '../migrations/state'

/**
 * Whom the service connects as: it reads and writes rows, and can neither change tables nor make
 * roles.
 */
export const APP_ROLE = 'tollgate_app'

/**
 * Makes the service's role, or gives one of an earlier start its password. `ownerUrl` may name any
 * database there.
 */
export async function ensureAppRole(ownerUrl: string, password: string): Promise<void> {
  await withClient(ownerUrl, async (db) => {
    const { rowCount } = await db.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS'
    await db.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${APP_ROLE} ${rights} PASSWORD ${pg.escapeLiteral(password)}`)
  })
}

/** Lets the service's role use what is in a database now, and what the owner will make there. */
export async function grantToAppRole(ownerUrl: string, name: string = APP_ROLE): Promise<void> {
  const role = pg.escapeIdentifier(name)
  await withClient(ownerUrl, async (db) => {
    const { rows } = await db.query<{ name: string }>(
      `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`,
    )
    const grants = [
      ['ALL TABLES', 'SELECT, INSERT, UPDATE, DELETE'],
      ['ALL SEQUENCES', 'USAGE, SELECT, UPDATE'],
    ]
    const now = rows.flatMap(({ name }) => [
      `GRANT USAGE ON SCHEMA ${name} TO ${role}`,
      ...grants.map(([what, rights]) => `GRANT ${rights} ON ${what} IN SCHEMA ${name} TO ${role}`),
    ])
    const later = [
      `GRANT USAGE ON SCHEMAS TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
      `GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${role}`,
    ].map((grant) => `ALTER DEFAULT PRIVILEGES ${grant}`)
    // Commands that start together, or one that migrates, would otherwise change the same catalog
    // rows at once.
    const lock = `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await db.query([lock, ...now, ...later].join(';\n'))
  })
}

async function withClient(url: string, work: (db: pg.Client) => Promise<void>): Promise<void> {
  const db = new pg.Client({ connectionString: url })
  db.on('error', () => {})
  await db.connect()
  try {
    await work(db)
  } finally {
    await db.end()
  }
}
