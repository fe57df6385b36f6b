import { budgetsChanged } from '../../credits/budgets/rows'
import { customerSuspended } from '../../credits/suspension'
import { inAct, prisma, runIn, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import { type CustomerView, viewCustomer } from './shape'

/** The same error for a customer that does not exist and for another account's. */
const customerNotFound = () => new AppError('not_found', 'There is no such customer.')

/** A customer of an account. Throws `not_found`. */
export async function getCustomer(ownerId: number, id: number, tx: Transaction = prisma()): Promise<CustomerView> {
  const row = await tx.customer.findFirst({ where: { id, ownerId } })
  if (!row) throw customerNotFound()
  return viewCustomer(row)
}

/** Throws `forbidden` for a customer that its account has suspended. */
export async function requireActiveCustomer(ownerId: number, id: number): Promise<void> {
  const row = await prisma().customer.findFirst({ where: { id, ownerId }, select: { suspendedAt: true } })
  if (row?.suspendedAt) throw customerSuspended()
}

const LOCK = statement({
  name: 'customer_lock',
  sql: 'SELECT c.id FROM customer c WHERE c.id = $1::int AND c.owner_id = $2::int FOR UPDATE',
  params: ['int', 'int'],
  columns: { id: 'int' },
})

/** What is checked of a customer before it is changed. */
type Check = (customer: CustomerView) => void

async function lockCustomer(tx: Transaction, { ownerId, id }: { ownerId: number; id: number }, check: Check) {
  await runIn(tx, LOCK, [id, ownerId])
  check(await getCustomer(ownerId, id, tx))
}

/**
 * Suspends a customer, or lets it be served again, for the next hold of every process. Calls in
 * progress end and are charged; runs end with their next step. Throws `not_found`.
 */
export const suspendCustomer = (
  of: { ownerId: number; id: number },
  suspended: boolean,
  check: Check = () => {},
): Promise<CustomerView> =>
  inAct(async (tx) => {
    await lockCustomer(tx, of, check)
    const { ownerId, id } = of
    await tx.customer.updateMany({
      where: { id, ownerId, suspendedAt: suspended ? null : { not: null } },
      data: { suspendedAt: suspended ? new Date() : null },
    })
    await budgetsChanged(tx, ownerId)
    return getCustomer(ownerId, id, tx)
  })

// The audit log says its name where it was suspended and where keys were made for it.
const FORGET_NAME = statement({
  name: 'customer_forget_name',
  sql: `UPDATE audit_event e SET subject = CASE WHEN e.subject = c.name AND e.action LIKE 'customer\\_%' THEN 'deleted:' || c.hash ELSE e.subject END,
      detail = CASE WHEN e.detail ->> 'customer' = c.name THEN e.detail || jsonb_build_object('customer', 'deleted:' || c.hash) ELSE e.detail END
    FROM customer c WHERE c.id = $1::int AND c.owner_id = $2::int AND e.owner_id = c.owner_id
      AND (e.subject = c.name AND e.action LIKE 'customer\\_%' OR e.detail ->> 'customer' = c.name)`,
  params: ['int', 'int'],
})

/**
 * Deletes the name of a customer. Its receipts, keys, limits and runs stay, and show a hash in its
 * place; whoever is named so from then on is another customer. Throws `not_found`.
 */
export const deleteCustomerName = (
  of: { ownerId: number; id: number },
  check: Check = () => {},
): Promise<CustomerView> =>
  inAct(async (tx) => {
    await lockCustomer(tx, of, check)
    const { ownerId, id } = of
    await runIn(tx, FORGET_NAME, [id, ownerId])
    await tx.customer.updateMany({ where: { id, ownerId }, data: { name: null } })
    // Keys that are bound to it keep its name with their grants.
    await tx.key.updateMany({ where: { customerId: id, ownerId }, data: { grantsVersion: { increment: 1 } } })
    await budgetsChanged(tx, ownerId)
    return getCustomer(ownerId, id, tx)
  })
