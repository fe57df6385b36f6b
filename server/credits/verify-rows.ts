import { statement } from '../kit/statement'
import { readPaced, sliceRows } from './paced-read'
import { DIFFERENCE_COLUMNS, type LedgerDifference } from './verify-checks'

/** The time by which an index finds an owner's rows of a table, called `x` in its check. */
const TIMES = { ledger: 'at', receipt: 'at', job: 'created_at' } as const
type Table = keyof typeof TIMES

const SEAL = `receipt_seal(x.id, x.at, x.started_at, x.held, x.charged, x.limit_id, x.owner_id, x.key_id, x.status, x.channel,
  x.product, x.what, x.detail)`

/** What was given back of a conversation's charges: the job keeps what it had spent before. */
const REFUNDED = `(SELECT coalesce(sum(l.amount), 0) FROM step s JOIN ledger l ON l.hold_id = s.hold_id AND l.amount > 0
  WHERE s.job_id = x.id)`

type RowCheck = { name: string; table: Table; sql: string }

/**
 * What single rows say, compared with what other rows say of the same. Each is one query; `scope`
 * stands for the rows `x` that it looks at.
 */
const CHECKS: readonly RowCheck[] = [
  {
    name: 'changed_receipt',
    table: 'receipt',
    sql: `SELECT 'changed receipt' AS what, x.id::text, x.seal::text AS stored, ${SEAL}::text AS computed
      FROM receipt x WHERE scope AND x.seal <> ${SEAL}`,
  },
  {
    name: 'receipt_key',
    table: 'receipt',
    sql: `SELECT 'receipt key' AS what, x.id::text, concat_ws('/', x.owner_id, x.key_id) AS stored,
        concat_ws('/', l.owner_id, l.key_id) AS computed
      FROM receipt x JOIN ledger l ON l.hold_id = x.id AND l.amount < 0
      WHERE scope AND (x.owner_id, x.key_id) IS DISTINCT FROM (l.owner_id, l.key_id)`,
  },
  {
    name: 'missing_spend_limit',
    table: 'receipt',
    sql: `SELECT 'missing spend limit' AS what, x.limit_id::text AS id, '' AS stored, sum(x.charged)::text AS computed
      FROM receipt x WHERE scope AND x.limit_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM spend_limit s WHERE s.id = x.limit_id AND s.owner_id = x.owner_id)
      GROUP BY x.limit_id`,
  },
  {
    name: 'key_owner',
    table: 'ledger',
    sql: `SELECT 'key owner' AS what, x.key_id::text AS id, coalesce(k.owner_id::text, '') AS stored, x.owner_id::text AS computed
      FROM ledger x LEFT JOIN "key" k ON k.id = x.key_id
      WHERE scope AND x.key_id IS NOT NULL AND k.owner_id IS DISTINCT FROM x.owner_id GROUP BY 2, 3, 4`,
  },
  {
    name: 'step_charge',
    table: 'job',
    sql: `SELECT 'step charge' AS what, concat_ws('/', s.job_id, s.index) AS id, s.charged::text AS stored,
        coalesce(-l.amount, 0)::text AS computed
      FROM job x JOIN step s ON s.job_id = x.id LEFT JOIN ledger l ON l.hold_id = s.hold_id AND l.amount < 0
      WHERE scope AND s.charged <> coalesce(-l.amount, 0)`,
  },
  // Written when the status changes: of a run in progress it is what was spent before.
  {
    name: 'run_credits',
    table: 'job',
    sql: `SELECT 'run credits' AS what, x.id::text, x.credits::text AS stored, l.spent::text AS computed
      FROM job x JOIN spend_limit l ON l.id = x.id
      WHERE scope AND x.credits <> l.spent AND (x.credits > l.spent + ${REFUNDED} OR x.credits < 0
        OR (x.credits < l.spent AND x.status <> 'running'))`,
  },
  // That of its last turn or of its run, or what an earlier one had left in progress beyond it.
  {
    name: 'conversation_cap',
    table: 'job',
    sql: `SELECT 'conversation cap' AS what, x.id::text, l.cap::text AS stored, t.last::text AS computed
      FROM job x JOIN spend_limit l ON l.id = x.id
      JOIN LATERAL (SELECT max(c.cap) AS most, (array_agg(c.cap ORDER BY c.number DESC))[1] AS last
        FROM (SELECT number, coalesce(stop_at_credits, cap_credits) AS cap FROM turn WHERE job_id = x.id) c) t ON true
      WHERE scope AND (l.cap < t.last OR l.cap > t.most)`,
  },
]

const over = <P extends readonly ('int' | 'int[]' | 'timestamptz')[]>(
  { name, sql }: RowCheck,
  scope: string,
  params: P,
) => statement({ name, sql: sql.replace('scope', scope), params, columns: DIFFERENCE_COLUMNS })

/** The same over all rows of the owners $1. */
export const ROW_CHECKS = CHECKS.map((check) =>
  over({ ...check, name: `verify_${check.name}` }, 'x.owner_id = ANY ($1)', ['int[]'] as const),
)

const SLICES = (Object.keys(TIMES) as Table[]).map((table) => ({
  end: statement({
    name: `verify_rows_end_${table}`,
    sql: `SELECT coalesce((SELECT ${TIMES[table]} FROM ${table} WHERE owner_id = $1 AND ${TIMES[table]} > $2
      ORDER BY ${TIMES[table]} OFFSET $3::int LIMIT 1), 'infinity')::text AS "to"`,
    params: ['int', 'timestamptz', 'int'],
    columns: { to: 'text' },
  }),
  checks: CHECKS.filter((check) => check.table === table).map((check) => {
    const time = `x.${TIMES[table]}`
    const scope = `x.owner_id = $1 AND ${time} >= $2 AND ${time} < $3`
    return over({ ...check, name: `verify_${check.name}_slice` }, scope, ['int', 'timestamptz', 'timestamptz'] as const)
  }),
}))

/** What these checks find of one owner, some thousand rows at a time. */
export async function checkRowsInSlices(ownerId: number): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (const { end, checks } of SLICES)
    for (let from = '-infinity'; from !== 'infinity'; ) {
      const to = (await readPaced(end, [ownerId, from, sliceRows.compared]))[0]?.to ?? 'infinity'
      for (const check of checks) found.push(...(await readPaced(check, [ownerId, from, to])))
      from = to
    }
  return found
}
