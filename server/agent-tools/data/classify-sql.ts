import { loadModule, parse } from 'libpg-query'

/** A statement that provably only reads, or one that a person must approve, with the reason. */
export type StatementClass =
  | { kind: 'read'; form: 'select' | 'show' }
  /** `isCountable`: rolled back it has done nothing, so that its rows can be counted beforehand. */
  | { kind: 'needs_approval'; reason: string; isCountable?: true }

/** The syntax nodes of a query that only reads. A tree with any other node may do more. */
const READ_NODES = new Set(
  `SelectStmt ResTarget ColumnRef String Integer Float Boolean A_Star A_Const A_Expr BoolExpr NullTest BooleanTest FuncCall
  TypeCast TypeName RangeVar RangeSubselect RangeFunction JoinExpr Alias SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr
  SortBy WindowDef List ParamRef CommonTableExpr A_ArrayExpr A_Indirection A_Indices RowExpr GroupingSet GroupingFunc
  SQLValueFunction CollateClause NamedArgExpr`.split(/\s+/),
)

/** Those of a statement that changes rows of tables and does nothing else. */
const CHANGE_NODES = new Set([
  ...READ_NODES,
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'SetToDefault',
  'MultiAssignRef',
  'IndexElem',
])

/** PostgreSQL's own functions without side effects. */
const PURE_FUNCTIONS = new Set(
  `abs acos age array_agg array_append array_cat array_dims array_length array_lower array_position array_positions
  array_prepend array_remove array_replace array_to_json array_to_string array_upper ascii asin atan atan2 avg bit_and
  bit_length bit_or bool_and bool_or btrim cardinality cbrt ceil ceiling char_length character_length chr
  clock_timestamp coalesce concat concat_ws convert_from convert_to corr cos count covar_pop covar_samp cume_dist
  current_database current_schema current_schemas date date_bin date_part date_trunc decode degrees dense_rank div encode
  every exp extract first_value floor format format_type generate_series generate_subscripts greatest hashtext host
  initcap isfinite json_agg json_array_elements json_array_elements_text json_array_length json_build_array
  json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object json_object_agg
  json_object_keys json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
  jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_pretty jsonb_set
  jsonb_typeof justify_days justify_hours justify_interval lag last_value lead least left length ln log log10 lower lpad
  ltrim make_date make_interval make_time make_timestamp max md5 min mod mode nth_value ntile now nullif num_nonnulls
  num_nulls obj_description octet_length overlay percent_rank percentile_cont percentile_disc pg_get_constraintdef
  pg_get_indexdef pg_get_viewdef pg_indexes_size pg_relation_size pg_size_pretty pg_table_size pg_total_relation_size
  pg_typeof pi position power quote_ident quote_literal radians random range_merge rank regexp_count regexp_instr
  regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope repeat replace reverse right round row_number
  row_to_json rpad rtrim scale sign sin split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp
  string_agg string_to_array string_to_table strpos substr substring sum tan timezone to_char to_date to_hex to_json
  to_jsonb to_number to_timestamp transaction_timestamp translate trim trim_array trunc unnest upper var_pop var_samp
  variance version width_bucket`.split(/\s+/),
)

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const namesOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).map((part) => String((part as { String?: { sval?: unknown } }).String?.sval ?? ''))

/**
 * Why a query may do more than read; null when it only reads. Without recursion, because trees have
 * any depth.
 */
function findObjection(root: unknown, allowed: ReadonlySet<string> = READ_NODES): string | null {
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) stack.push(value[i])
      continue
    }
    if (!isNode(value)) continue
    for (const [name, inner] of Object.entries(value)) {
      // Nodes are written as {Name: {…}}; fields of a node begin in lower case.
      if (!/^[A-Z]/.test(name) || !isNode(inner)) continue
      const objection = allowed.has(name) ? objectionTo(name, inner) : `it contains ${nodeWords(name)}`
      if (objection) return objection
    }
    stack.push(...Object.values(value).reverse())
  }
  return null
}

function objectionTo(name: string, node: Node): string | null {
  if (name === 'SelectStmt' && node.intoClause) return 'it writes a table (SELECT INTO)'
  if (name === 'SelectStmt' && node.lockingClause) return 'it locks rows'
  if (name === 'FuncCall') {
    const names = namesOf(node.funcname)
    const isBuiltin = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog')
    if (isBuiltin && PURE_FUNCTIONS.has(names.at(-1) ?? '')) return null
    return `it calls ${names.join('.')}(), which may do more than read`
  }
  if (name === 'A_Expr' && Array.isArray(node.name) && node.name.length > 1) {
    return namesOf(node.name)[0] === 'pg_catalog' ? null : 'it uses a custom operator'
  }
  return null
}

/** The SQL words of a node: CREATE TABLE AS for `CreateTableAsStmt`. */
const nodeWords = (name: string): string =>
  name
    .replace(/Stmt$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

const STATEMENT_WORDS: Record<string, string> = {
  InsertStmt: 'INSERT into',
  UpdateStmt: 'UPDATE of',
  DeleteStmt: 'DELETE from',
  MergeStmt: 'MERGE into',
  CreateStmt: 'CREATE TABLE',
}

/** A statement's kind and table. */
function describeStatement(stmt: Node): string {
  const [name = '', inner] = Object.entries(stmt)[0] ?? []
  const relation = isNode(inner) && isNode(inner.relation) ? String(inner.relation.relname ?? '') : ''
  return STATEMENT_WORDS[name] && relation ? `${STATEMENT_WORDS[name]} ${relation}` : nodeWords(name)
}

let loading: Promise<void> | undefined

const needsApproval = (reason: string): StatementClass => ({ kind: 'needs_approval', reason })

/**
 * Parses a statement with PostgreSQL's own parser and says whether it only reads. Everything that
 * is not provably one read needs approval, also what the parser refuses.
 */
export async function classifySql(sql: string): Promise<StatementClass> {
  loading ??= loadModule()
  await loading
  let stmts: { stmt?: unknown }[]
  try {
    stmts = ((await parse(sql)) as { stmts?: { stmt?: unknown }[] }).stmts ?? []
  } catch (error) {
    return needsApproval(`it cannot be parsed (${error instanceof Error ? error.message : 'unknown error'})`)
  }
  const [only] = stmts
  if (stmts.length !== 1 || !isNode(only?.stmt)) {
    return needsApproval(stmts.length === 0 ? 'it is empty' : `it is ${stmts.length} statements`)
  }
  const { stmt } = only
  if ('VariableShowStmt' in stmt) return { kind: 'read', form: 'show' }
  if ('ExplainStmt' in stmt && isNode(stmt.ExplainStmt)) return classifyExplain(stmt.ExplainStmt)
  if (!('SelectStmt' in stmt)) {
    const isCountable = findObjection(stmt, CHANGE_NODES) === null
    return { ...needsApproval(`it is ${describeStatement(stmt)}`), ...(isCountable && { isCountable }) }
  }
  const objection = findObjection(stmt)
  return objection ? needsApproval(objection) : { kind: 'read', form: 'select' }
}

/** EXPLAIN only plans, except with ANALYZE, which runs the statement. */
function classifyExplain({ query, options }: Node): StatementClass {
  const names = (Array.isArray(options) ? options : []).map((option) =>
    String((option as { DefElem?: { defname?: unknown } }).DefElem?.defname ?? '').toLowerCase(),
  )
  if (names.includes('analyze')) return needsApproval('EXPLAIN ANALYZE runs its statement')
  const objection = isNode(query) && 'SelectStmt' in query ? findObjection(query) : 'it explains what is not a query'
  return objection ? needsApproval(objection) : { kind: 'read', form: 'show' }
}
