import { counter, gauge } from '../kit/metrics/registry'
import type { CallChannel } from './shape'

/** What charges are counted by: how the call came in, and what it was for. */
type ChargedProduct = 'query' | 'chat' | 'embedding' | 'image' | 'agent' | 'mcp'

const PRODUCTS: Record<CallChannel, ChargedProduct> = {
  rest: 'query',
  mcp: 'mcp',
  chat: 'chat',
  responses: 'chat',
  messages: 'chat',
  playground: 'chat',
  embeddings: 'embedding',
  images: 'image',
  agent: 'agent',
}

const charged = counter('tollgate_credits_charged_total', 'Credits charged, by product', ['product'])
const byProduct = new Map([...new Set(Object.values(PRODUCTS)), 'other'].map((name) => [name, charged.labels(name)]))
// A series that begins with its first charge would hide that charge from rates.
for (const child of byProduct.values()) child.inc(0)

/** Counts a charge. `channel` is that of its hold; older entries of a journal have none. */
export function countCharge(credits: bigint, channel?: CallChannel): void {
  byProduct.get(channel === undefined ? 'other' : PRODUCTS[channel])?.inc(Number(credits))
}

export const creditsLost = counter(
  'tollgate_credits_lost_total',
  'Credits that calls cost beyond their charge, borne by the operator',
)
export const creditsRefunded = counter('tollgate_credits_refunded_total', 'Credits given back after a charge')
export const holdsSwept = counter('tollgate_holds_swept_total', 'Holds of dead processes that were voided')
export const oldHolds = gauge('tollgate_holds_old', 'Holds older than the longest call, as of the last sweep')
export const settlementsWaiting = gauge('tollgate_settlements_waiting', 'Settlements that wait for the database')
export const settlementsDead = counter(
  'tollgate_settlements_dead_total',
  'Settlements that the database refused for good and this process put aside',
)
export const lastSweep = gauge('tollgate_sweep_success_timestamp_seconds', 'When this process last swept holds')
