/** Runs SQL on a database: `query` one statement, `exec` a script of several. */
export type ScriptRunner = {
  query: (sql: string) => Promise<{ rows: Record<string, unknown>[] }>
  exec: (sql: string) => Promise<unknown>
}

/** Our tables, without the one in which Prisma keeps its history. */
const TABLES = `pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND c.relname <> '_prisma_migrations'`

const COLUMN = `quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
  || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
  || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')`

const TABLE_DDL = `SELECT format(E'CREATE %sTABLE %I (\\n  %s\\n)%s;',
    CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END, c.relname,
    (SELECT string_agg(${COLUMN}, E',\\n  ' ORDER BY a.attnum) FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '')) AS ddl
  FROM ${TABLES} ORDER BY c.relname COLLATE "C"`

/** Primary keys, checks and foreign keys. NOT NULL is part of a column. */
const CONSTRAINT_DDL = `SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s;', c.relname, k.conname,
    pg_get_constraintdef(k.oid)) AS ddl
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE k.contype <> 'n' AND c.oid IN (SELECT c.oid FROM ${TABLES})
  ORDER BY c.relname COLLATE "C", k.contype, k.conname COLLATE "C"`

/** Indexes, without those that belong to a constraint. */
const INDEX_DDL = `SELECT pg_get_indexdef(i.indexrelid) || ';' AS ddl
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  WHERE i.indrelid IN (SELECT c.oid FROM ${TABLES})
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype <> 'f')
  ORDER BY x.relname COLLATE "C"`

const TRIGGER_DDL = `SELECT pg_get_triggerdef(t.oid) || ';' AS ddl
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.oid IN (SELECT c.oid FROM ${TABLES})
  ORDER BY c.relname COLLATE "C", t.tgname COLLATE "C"`

const FUNCTION_DDL = `SELECT p.oid::regprocedure::text AS signature, pg_get_functiondef(p.oid) AS ddl, l.lanname AS language
  FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.pronamespace = 'public'::regnamespace ORDER BY p.oid::regprocedure::text COLLATE "C"`

/** A function as the database has it. `signature`: its name and the types of its parameters. */
export type DumpedFunction = { signature: string; ddl: string; language: string }

/** Every function of a database, by signature. */
export async function dumpFunctions(db: Pick<ScriptRunner, 'query'>): Promise<Map<string, DumpedFunction>> {
  const { rows } = await db.query(FUNCTION_DDL)
  const functions = rows.map(({ signature, ddl, language }) => ({
    signature: String(signature),
    ddl: `${String(ddl).trimEnd()};`,
    language: String(language),
  }))
  return new Map(functions.map((one) => [one.signature, one]))
}

const HEADER = `-- The schema that the migrations create, for reading and for comparing. Nothing runs this file.
-- "npm run db:migrate -- dump" writes it, and "-- diff" fails when it is out of date.
`

/**
 * The schema of a database as text: tables, constraints, indexes, triggers and functions, in a
 * fixed order.
 */
export async function dumpSchema(db: Pick<ScriptRunner, 'query'>): Promise<string> {
  const parts = [HEADER]
  for (const sql of [TABLE_DDL, CONSTRAINT_DDL, INDEX_DDL, TRIGGER_DDL]) {
    const { rows } = await db.query(sql)
    parts.push(rows.map(({ ddl }) => String(ddl)).join(sql === TABLE_DDL ? '\n\n' : '\n'))
  }
  parts.push([...(await dumpFunctions(db)).values()].map(({ ddl }) => ddl).join('\n\n'))
  return `${parts.join('\n\n')}\n`
}

/**
 * What limits the rows that may be written: keys, checks, foreign keys and unique indexes, as SQL.
 */
export async function dumpConstraints(db: Pick<ScriptRunner, 'query'>): Promise<string[]> {
  const constraints = await db.query(CONSTRAINT_DDL)
  const indexes = await db.query(INDEX_DDL)
  const lines = [...constraints.rows, ...indexes.rows].map(({ ddl }) => String(ddl))
  return lines.filter((line) => !line.startsWith('CREATE INDEX '))
}

/** A column of a table, as whoever reads or writes it has to know it. */
export type DumpedColumn = { table: string; column: string; type: string; isRequired: boolean; hasDefault: boolean }

const COLUMN_LIST = `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS "isRequired", a.atthasdef AS "hasDefault"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE a.attnum > 0 AND NOT a.attisdropped AND c.oid IN (SELECT c.oid FROM ${TABLES})
  ORDER BY c.relname COLLATE "C", a.attnum`

/** Every column of a database's tables. */
export async function dumpColumns(db: Pick<ScriptRunner, 'query'>): Promise<DumpedColumn[]> {
  const { rows } = await db.query(COLUMN_LIST)
  return rows.map((row) => ({
    table: String(row.table),
    column: String(row.column),
    type: String(row.type),
    isRequired: row.isRequired === true,
    hasDefault: row.hasDefault === true,
  }))
}
