import { shownCustomers } from '../accounts/customers/names'
import { requireJobOf } from '../agent/jobs/read-job'
import { AppError } from '../errors'
import type { Caller } from '../keys/authenticate'

/**
 * The customer that a key is bound to, as receipts show it: what it may read is this customer's.
 * Undefined: everything of the account. Throws `unavailable` where it cannot be read.
 */
async function ownCustomer({ ownerId, grants }: Caller): Promise<string | undefined> {
  if (!grants.customer) return undefined
  const { id } = grants.customer
  const shown = (await shownCustomers(ownerId, [id])).get(id)
  // A replica may not have it yet: the key does not read the whole account because of that.
  if (shown === undefined)
    throw new AppError('unavailable', "This key's customer cannot be read yet. Try again.", { retryAfter: 1 })
  return shown
}

/**
 * What a key asks of receipts, confined to the customer that it is bound to. Throws `forbidden`
 * where it asks for another one's.
 */
export async function confined<T extends { customer?: string }>(caller: Caller, asked: T): Promise<T> {
  const customer = await ownCustomer(caller)
  if (customer === undefined) return asked
  if (asked.customer !== undefined && asked.customer !== customer)
    throw new AppError('forbidden', `This key reads what was done for the customer "${customer}" alone.`, {
      reason: 'customer_bound',
    })
  return { ...asked, customer }
}

/** A receipt that a key may read. Throws `not_found` for another customer's. */
export async function requireOwnReceipt<T extends { customer: string | null }>(caller: Caller, receipt: T): Promise<T> {
  const customer = await ownCustomer(caller)
  if (customer === undefined || receipt.customer === customer) return receipt
  throw new AppError('not_found', 'There is no receipt of such a request.')
}

/**
 * Used after an input with `jobId`: the runs of another customer do not exist for a key that is
 * bound to one.
 */
export async function ofOwnJob<R>({
  ctx: { caller },
  input: { jobId },
  next,
}: {
  ctx: { caller: Caller }
  input: { jobId: string }
  next: () => Promise<R>
}): Promise<R> {
  const { customer } = caller.grants
  if (customer) await requireJobOf(caller.ownerId, jobId, customer.id)
  return next()
}
