import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { knownVersion } from '../../credits/budgets/find'
import { databaseUnavailable, prisma, readPrisma, runIn, runStatement, sharedBatch, type Transaction } from '../../db'
import { env } from '../../env'
import { lazy } from '../../kit/lazy'
import { statement } from '../../kit/statement'
import { shownCustomer } from './shape'

const hashKey = lazy(() => createHmac('sha256', env().AUTH_SECRET).update('tollgate customer').digest())

/** What is kept of a customer whose name is deleted: nobody without AUTH_SECRET finds it out. */
const customerHash = (ownerId: number, name: string): string =>
  createHmac('sha256', hashKey()).update(`${ownerId} ${name}`).digest('hex').slice(0, 32)

/** The customer of each name, made where its account names it for the first time. */
const CUSTOMERS_NAMED = statement({
  name: 'customers_named',
  sql: 'SELECT n, id FROM customers_named($1, $2, $3)',
  params: ['int[]', 'text[]', 'text[]'],
  columns: { n: 'int', id: 'int' },
})

type Named = { ownerId: number; name: string }

/**
 * Customers that calls have named, each as of the version of their account: the ledger lets no hold
 * in that was asked for under an older one.
 */
const known = new LRUCache<string, { id: number; version: number }>({ max: 50_000 })
const knownAs = ({ ownerId, name }: Named) => `${ownerId} ${name}`

/** The id of a customer as this process knows it; undefined where it does not. */
export function knownCustomer(named: Named): number | undefined {
  const found = known.get(knownAs(named))
  return found?.version === knownVersion(named.ownerId) ? found.id : undefined
}

const readNamed = sharedBatch(
  async (asked: Named[]): Promise<(number | undefined)[]> => {
    // In one order, so that two batches do not wait for each other's new rows.
    const each = [...new Map(asked.map((named) => [knownAs(named), named]))].sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = await runStatement(
      CUSTOMERS_NAMED,
      [
        each.map(([, { ownerId }]) => ownerId),
        each.map(([, { name }]) => name),
        each.map(([, { ownerId, name }]) => customerHash(ownerId, name)),
      ],
      { shared: true },
    )
    const idOf = new Map(rows.map(({ n, id }) => [each[n - 1]?.[0], id]))
    return asked.map((named) => idOf.get(knownAs(named)))
  },
  ({ ownerId }) => ownerId,
)

/**
 * The id of the customer that a call names, made where it is the first to name it. One that this
 * process knows costs no statement. Throws `unavailable`.
 */
export async function findCustomer(named: Named): Promise<number> {
  const id = knownCustomer(named)
  if (id !== undefined) return id
  const version = knownVersion(named.ownerId)
  const found = await readNamed(named)
  if (found === undefined) throw databaseUnavailable(new Error('a customer was deleted while it was named'))
  known.set(knownAs(named), { id: found, version })
  return found
}

/** The ids of an account's customers by name. A customer exists by being named. */
export async function customerIds(
  ownerId: number,
  names: readonly string[],
  tx: Transaction = prisma(),
): Promise<Map<string, number>> {
  const asked = [...new Set(names)].sort()
  if (asked.length === 0) return new Map()
  const hashes = asked.map((name) => customerHash(ownerId, name))
  const rows = await runIn(tx, CUSTOMERS_NAMED, [asked.map(() => ownerId), asked, hashes])
  if (rows.length < asked.length) throw databaseUnavailable(new Error('a customer was deleted while it was named'))
  return new Map(rows.map(({ n, id }) => [asked[n - 1] ?? '', id]))
}

/** What lists show of an account's customers, by id. */
export async function shownCustomers(
  ownerId: number,
  ids: readonly number[],
  tx: Transaction = readPrisma(),
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.customer.findMany({ where: { ownerId, id: { in: [...new Set(ids)] } } })
  return new Map(rows.map((row) => [row.id, shownCustomer(row)]))
}
