import { prisma, runRead } from '../../db'
import { readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { statement } from '../../kit/statement'
import { CustomerId, type CustomerList, type CustomerPage, viewCustomer } from './shape'

const SPENT = statement({
  name: 'customers_spent',
  sql: `SELECT r.customer_id AS id, coalesce(sum(r.charged), 0)::bigint AS spent, count(*)::int AS calls
    FROM receipt r, owner o WHERE o.id = $1::int AND r.owner_id = o.id AND r.customer_id = ANY ($2::int[])
      AND r.at >= date_trunc('month', now() AT TIME ZONE o.time_zone) AT TIME ZONE o.time_zone GROUP BY r.customer_id`,
  params: ['int', 'int[]'],
  columns: { id: 'int?', spent: 'bigint', calls: 'int' },
})

/**
 * An account's customers, the latest first, with what each was charged this month. Throws
 * `invalid_request` for an invalid cursor.
 */
export async function listCustomers(ownerId: number, page: CustomerPage): Promise<CustomerList> {
  const { q, suspended, limit, cursor } = page
  const after = readCursor(cursor, (id) => CustomerId.safeParse({ id: Number(id) }).success)
  const rows = await prisma().customer.findMany({
    where: {
      ownerId,
      ...(q && { name: { startsWith: q.replace(/[\\%_]/g, '\\$&') } }),
      ...(suspended && { suspendedAt: suspended === 'true' ? { not: null } : null }),
      ...(after && { id: { lt: Number(after.id) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const cut = paginate(rows, limit, ({ id, createdAt }) => ({ at: createdAt, id: String(id) }))
  const sums = await runRead(SPENT, [ownerId, cut.rows.map(({ id }) => id)])
  const of = new Map(sums.map(({ id, spent, calls }) => [id, { spent: Number(spent), calls }]))
  return {
    rows: cut.rows.map((row) => ({ ...viewCustomer(row), ...(of.get(row.id) ?? { spent: 0, calls: 0 }) })),
    nextCursor: cut.nextCursor,
  }
}
