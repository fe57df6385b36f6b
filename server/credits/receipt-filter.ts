import { customerOfShown } from './customer-shown'
import type { CallChannel, OutcomeFilter, Product, ReceiptStatus } from './shape'

/**
 * Which receipts of an owner. `from` and `to` are days of `timeZone` (default UTC), both
 * inclusive.
 */
export type ReceiptFilter = {
  keyId?: number
  what?: string
  channel?: CallChannel
  product?: Product
  status?: ReceiptStatus
  outcome?: OutcomeFilter
  jobId?: string
  /** As receipts show it. */
  customer?: string
  /** A request id, or a job's. */
  id?: string
  from?: string
  to?: string
  timeZone?: string
}

/** Adds a value to those of a statement and returns its placeholder. */
export type Given = (value: unknown) => string

/** Values of a statement, and what adds one. */
export function statementValues(): { values: unknown[]; given: Given } {
  const values: unknown[] = []
  return { values, given: (value) => `$${values.push(value)}` }
}

/** An owner's receipts that an outcome means, of the table called `r`. */
const OUTCOME_CONDITIONS: Record<OutcomeFilter, readonly string[]> = {
  ok: [`r.status = 'ok'`],
  failed: [`r.status <> 'ok'`],
  failed_charged: [`r.status <> 'ok'`, 'r.charged > 0'],
  failed_free: [`r.status <> 'ok'`, 'r.charged = 0'],
}

/** The outcomes that sums by hour have for it. */
const SUMMED_OUTCOMES: Record<OutcomeFilter, readonly string[]> = {
  ok: ['ok'],
  failed: ['failed', 'free'],
  failed_charged: ['failed'],
  failed_free: ['free'],
}

/** Conditions on kind and outcome, of receipts called `r`. */
export const kindConditions = ({ what, channel, product, status, outcome }: ReceiptFilter, given: Given): string[] => [
  ...(what === undefined ? [] : [`r.what = ${given(what)}`]),
  ...(channel === undefined ? [] : [`r.channel = ${given(channel)}`]),
  ...(product === undefined ? [] : [`r.product = ${given(product)}`]),
  // What the planner must see to take a partial index.
  ...(product === undefined || product === 'tool' ? [] : [`r.product <> 'tool'`]),
  ...(status === undefined ? [] : [`r.status = ${given(status)}`]),
  ...(status === undefined || status === 'ok' ? [] : [`r.status <> 'ok'`]),
  ...(outcome === undefined ? [] : OUTCOME_CONDITIONS[outcome]),
]

/** The condition on the customer of receipts called `r`. */
export const customerConditions = ({ customer }: ReceiptFilter, given: Given, owner: string): string[] =>
  customer === undefined ? [] : [`r.customer_id = ${customerOfShown(customer, { owner, text: given(customer) })}`]

/** The conditions of a filter on an owner's receipts, called `r`: all but its days and its id. */
export const receiptConditions = (filter: ReceiptFilter, given: Given, owner: string): string[] => [
  `r.owner_id = ${owner}`,
  ...(filter.keyId === undefined ? [] : [`r.key_id = ${given(filter.keyId)}`]),
  ...(filter.jobId === undefined ? [] : [`r.limit_id = ${given(filter.jobId)}`]),
  ...customerConditions(filter, given, owner),
  ...kindConditions(filter, given),
]

/** Conditions on kind and outcome, of sums by hour called `u`. */
export const summedConditions = (
  { what, channel, product, status, outcome }: ReceiptFilter,
  given: Given,
): string[] => [
  ...(what === undefined ? [] : [`u.what = ${given(what)}`]),
  ...(channel === undefined ? [] : [`u.channel = ${given(channel)}`]),
  ...(product === undefined ? [] : [`u.product = ${given(product)}`]),
  ...(status === undefined ? [] : [status === 'ok' ? `u.outcome = 'ok'` : `u.outcome <> 'ok'`]),
  ...(outcome === undefined ? [] : [`u.outcome = ANY (${given(SUMMED_OUTCOMES[outcome])}::text[])`]),
]

/** Begin of the first day, and end of the last, as SQL; null where the filter has none. */
export function dayBounds({ from, to, timeZone = 'UTC' }: ReceiptFilter, given: Given) {
  const zone = () => `AT TIME ZONE ${given(timeZone)}::text`
  return {
    since: from === undefined ? null : `(${given(from)}::date::timestamp ${zone()})`,
    until: to === undefined ? null : `((${given(to)}::date + 1)::timestamp ${zone()})`,
  }
}
