import pg from 'pg'
import { MIGRATION_LOCK } from '../migrations/state'

/** Who owns the database and migrates it, with no right beyond that. */
export const OWNER_ROLE = 'tollgate_owner'

/**
 * Whom the service connects as: it reads and writes rows, and can neither change tables nor make
 * roles.
 */
export const APP_ROLE = 'tollgate_app'

const ORDINARY = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS'

/**
 * Makes an ordinary role, or gives one of an earlier start its password. `superuserUrl` may name
 * any database there.
 */
export async function ensureRole(superuserUrl: string, role: { name: string; password: string }): Promise<void> {
  await withClient(superuserUrl, async (db) => {
    const { rowCount } = await db.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role.name])
    const name = pg.escapeIdentifier(role.name)
    const password = pg.escapeLiteral(role.password)
    await db.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} ${ORDINARY} PASSWORD ${password}`)
  })
}

/**
 * What the superuser owns in a database besides what PostgreSQL made there: earlier versions
 * migrated as the superuser. Sequences of a column follow their table.
 */
const OF_SUPERUSER = `SELECT format('SCHEMA %I', nspname) AS item FROM pg_namespace
    WHERE nspowner = 10 AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  UNION ALL SELECT format('TABLE %s', oid::regclass) FROM pg_class
    WHERE relowner = 10 AND relkind IN ('r', 'p') AND oid >= 16384
  UNION ALL SELECT format('SEQUENCE %s', oid::regclass) FROM pg_class s WHERE relowner = 10 AND relkind = 'S'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = s.oid AND d.deptype IN ('a', 'i'))
  UNION ALL SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc WHERE proowner = 10 AND oid >= 16384
  UNION ALL SELECT format('TYPE %s', oid::regtype) FROM pg_type
    WHERE typowner = 10 AND typtype IN ('e', 'd') AND oid >= 16384`

/** Makes a role the owner of a database and of all that the superuser owns in it. */
export async function giveDatabase(superuserUrl: string, name: string): Promise<void> {
  const role = pg.escapeIdentifier(name)
  await withClient(superuserUrl, async (db) => {
    const database = pg.escapeIdentifier(new URL(superuserUrl).pathname.slice(1))
    await db.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`)
    const { rows } = await db.query<{ item: string }>(OF_SUPERUSER)
    const items = [`DATABASE ${database}`, ...rows.map(({ item }) => item)]
    await db.query(items.map((item) => `ALTER ${item} OWNER TO ${role}`).join(';\n'))
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
