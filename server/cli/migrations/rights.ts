import type pg from 'pg'

/** Migrations make tables in `public`, and the queue a schema of its own. */
const RIGHTS = `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
    has_database_privilege(current_database(), 'CREATE') AS "inDatabase",
    coalesce((SELECT has_schema_privilege(n.oid, 'CREATE') FROM pg_namespace n WHERE n.nspname = 'public'), true) AS "inPublic"`

type Rights = { role: string; database: string; inDatabase: boolean; inPublic: boolean }

/**
 * What keeps the role of a connection from migrating its database, and what to do about it; null
 * where it may.
 */
export async function missingRights(
  db: Pick<pg.ClientBase, 'query'>,
): Promise<{ text: string; advice: string } | null> {
  const [rights] = (await db.query<Rights>(RIGHTS)).rows
  if (!rights || (rights.inDatabase && rights.inPublic)) return null
  const { role, database, inDatabase } = rights
  const owns = `ALTER DATABASE ${database} OWNER TO ${role}`
  const statement = inDatabase ? 'ALTER SCHEMA public OWNER TO pg_database_owner' : owns
  return {
    text: `The role ${role} may not create tables in the database ${database}: who migrates has to own it.`,
    advice: `As the superuser, in that database: ${statement}`,
  }
}
