import { findCustomer, knownCustomer } from '../accounts/customers/names'
import { CustomerName } from '../accounts/customers/shape'
import type { HoldPayer } from '../credits/hold-request'
import { AppError, invalidRequest } from '../errors'
import { isRecord } from '../kit/record'
import type { Context } from './context'
import type { Payer } from './trpc'

/** Names the customer whom a call is made for. */
export const CUSTOMER_HEADER = 'X-Tollgate-Customer'

/** The customer of a call. `known`: its id where this process knows it. */
export type CallCustomer = {
  known: () => number | undefined
  find: () => Promise<number>
  /** Why the call may not be made for the one that it names. */
  refusal?: AppError
}

/** The wires' fields for whom a request is made, the one that counts first. */
const WIRE_FIELDS = [['safety_identifier'], ['user'], ['metadata', 'user_id']] as const

/**
 * Whom a call is made for: the customer that its key is bound to, or where its key lets calls name
 * one, that of the header, else of the wire's own field. What another key's call names is ignored.
 * Throws `invalid_request` for what is no name.
 */
export function customerOf(
  { headers }: Pick<Context, 'headers'>,
  { ownerId, grants }: Payer,
  input: unknown,
): CallCustomer | null {
  if (!grants || (!grants.namesCustomers && !grants.customer)) return null
  const header = headers.get(CUSTOMER_HEADER)
  const named = header === null ? null : checkedName(textOf(header), CUSTOMER_HEADER)
  if (grants.customer) {
    const { id, name } = grants.customer
    const known = { known: () => id, find: async () => id }
    return named === null || named === name ? known : { ...known, refusal: otherCustomer(name) }
  }
  const name = named ?? nameInWire(input)
  if (name === null) return null
  const customer = { ownerId, name }
  return { known: () => knownCustomer(customer), find: () => findCustomer(customer) }
}

/** Who pays for a call that is made for a customer. */
export async function payerFor(by: Payer, customer: CallCustomer | null): Promise<HoldPayer> {
  const { ownerId, keyId, personId } = by
  const payer = { ownerId, keyId, ...(personId !== undefined && { personId }) }
  return customer ? { ...payer, customerId: await customer.find(), findCustomer: customer.find } : payer
}

const otherCustomer = (name: string | null) =>
  new AppError(
    'forbidden',
    name === null
      ? `All calls of this key are for one customer. Leave ${CUSTOMER_HEADER} out.`
      : `All calls of this key are for the customer "${name}". Leave ${CUSTOMER_HEADER} out, or use another key.`,
    { reason: 'customer_bound' },
  )

function nameInWire(input: unknown): string | null {
  for (const [field, inner] of WIRE_FIELDS) {
    const outer = isRecord(input) ? input[field] : undefined
    const value = inner !== undefined && isRecord(outer) ? outer[inner] : outer
    if (typeof value === 'string' && value !== '') return checkedName(value, inner ? `${field}.${inner}` : field)
  }
  return null
}

function checkedName(value: string, path: string): string {
  const parsed = CustomerName.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error.issues.map(({ message }) => ({ path: [path], message })))
}

/** A header's bytes as the UTF-8 that clients send; what is not UTF-8 is taken as Latin-1. */
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') ? header : text
}
