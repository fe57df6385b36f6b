/** What the driver makes of a value of each type we use. */
type FromDatabase = {
  int: number
  bigint: string
  numeric: string
  text: string
  uuid: string
  boolean: boolean
  timestamptz: Date
  jsonb: unknown
  void: unknown
}

/** What the driver takes for a parameter of each type we use. JSON is passed as text. */
type ToDatabase = {
  int: number
  bigint: bigint | string
  text: string
  uuid: string
  boolean: boolean
  float8: number
  timestamptz: Date | string
  date: string
  jsonb: string
  bytea: Uint8Array
}

type ParamType = keyof ToDatabase | `${keyof ToDatabase}[]`
type ValueType = keyof FromDatabase | `${keyof FromDatabase}[]`
/**
 * A column: its type, with `?` where it may be null, or the texts it may have (null among them
 * where it may be null).
 */
export type ColumnType = ValueType | `${ValueType}?` | readonly (string | null)[]
export type Columns = { readonly [name: string]: ColumnType }

type Param<T> = T extends `${infer Item extends keyof ToDatabase}[]`
  ? readonly (ToDatabase[Item] | null)[]
  : T extends keyof ToDatabase
    ? ToDatabase[T] | null
    : never

type Value<T> = T extends readonly (infer Text)[]
  ? Text
  : T extends `${infer Type}?`
    ? Value<Type> | null
    : T extends `${infer Item extends keyof FromDatabase}[]`
      ? FromDatabase[Item][]
      : T extends keyof FromDatabase
        ? FromDatabase[T]
        : never

type Params<P extends readonly ParamType[]> = { readonly [I in keyof P]: Param<P[I]> }
/** The row that columns make. */
export type SelectedRow<C extends Columns> = { -readonly [Name in keyof C]: Value<C[Name]> }

/**
 * A statement in SQL, with the types of its parameters and columns. They are what TypeScript knows
 * of it; a test asks PostgreSQL for the types of every statement and compares
 * (tests/architecture/statements.db.test.ts).
 */
export type Statement<V extends readonly unknown[] = readonly unknown[], R = unknown> = {
  name: string
  text: string
  /** Types of its parameters; null where they depend on how the text was made. */
  params: readonly ParamType[] | null
  columns: Columns
  /**
   * True where PostgreSQL keeps the parsed statement per connection, for statements of every call.
   */
  isPrepared: boolean
  /** Never set: carries the types of values and rows. */
  types?: { values: V; row: R }
}

/** The rows of a statement. */
export type RowOf<S> = S extends Statement<infer _, infer R> ? R : never

type Definition<P extends readonly ParamType[], C extends Columns> = {
  name: string
  sql: string
  params: P
  columns?: C
  isPrepared?: boolean
}

type Registered = Omit<Statement, 'text' | 'types'> & { texts: () => readonly string[] }
const registered: Registered[] = []

/** Every statement of the modules that are loaded, for tests and for the record of a release. */
export const allStatements = (): readonly Registered[] => registered

/** Defines a statement. Its name is unique in the project. */
export function statement<const P extends readonly ParamType[], const C extends Columns = Record<never, never>>({
  name,
  sql,
  params,
  columns = {} as C,
  isPrepared = false,
}: Definition<P, C>): Statement<Params<P>, SelectedRow<C>> {
  const made = { name, text: sql, params, columns, isPrepared }
  registered.push({ ...made, texts: () => [sql] })
  return made
}

/**
 * Defines statements whose text is made at run time but whose columns are the same: returns what
 * makes one of a text. `samples` are texts of every kind there is, for the test that asks
 * PostgreSQL.
 */
export function statementFamily<const C extends Columns>({
  name,
  columns,
  samples,
}: {
  name: string
  columns: C
  samples: () => readonly string[]
}): (text: string) => Statement<readonly unknown[], SelectedRow<C>> {
  const shared = { name, params: null, columns, isPrepared: false }
  registered.push({ ...shared, texts: samples })
  return (text) => ({ ...shared, text })
}

/**
 * As the driver takes a statement: named where PostgreSQL is to keep it. `isPooled`: nothing is
 * kept for a connection, because its next statement may meet another server.
 */
export const queryConfig = (
  { name, text, isPrepared }: Statement,
  values: readonly unknown[],
  { isPooled } = { isPooled: false },
) => ({
  ...(isPrepared && !isPooled && { name }),
  text,
  values: [...values],
})

/**
 * Rows of a statement, as its columns say. Types were compared with the database by a test; texts
 * of a fixed set are checked here. Throws where a row has a text that is not in the set.
 */
export function rowsOf<V extends readonly unknown[], R>(
  { name, columns }: Statement<V, R>,
  rows: readonly Record<string, unknown>[],
): R[] {
  for (const [column, allowed] of Object.entries(columns)) {
    if (typeof allowed === 'string') continue
    const wrong = rows.find((row) => !(allowed as readonly unknown[]).includes(row[column]))
    if (wrong) throw new Error(`${name}: ${column} has an unknown value: ${String(wrong[column])}`)
  }
  return rows as R[]
}

/** A time in SQL as JSON has times everywhere: ISO 8601 in UTC, with milliseconds. */
export const isoTimeSql = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
