import { Cron } from 'croner'
import type { Customer, Key, KeyClient, KeySecret } from '../../prisma/generated/client'
import { shownCustomer } from '../accounts/customers/shape'
import { type KeyState, type KeyView, ManagementGrant, RecurringBudget } from './shape'

export type KeyRow = Key & {
  secrets: KeySecret[]
  client: KeyClient | null
  owner: { timeZone: string }
  customer: Pick<Customer, 'name' | 'hash'> | null
  maker: { email: string } | null
}

/**
 * What every read of a key brings along: its secrets, newest first, the client that has it, where
 * its days begin, its customer, and who made it.
 */
export const keyRelations = {
  secrets: { orderBy: { createdAt: 'desc' } },
  client: true,
  owner: { select: { timeZone: true } },
  customer: { select: { name: true, hash: true } },
  maker: { select: { email: true } },
} as const

const iso = (at: Date | null) => at?.toISOString() ?? null

function stateOf(key: KeyRow, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt && key.expiresAt <= now) return 'expired'
  if (key.budget !== null && key.spent >= key.budget) return 'spent'
  return 'active'
}

const viewClient = ({ clientId, name, redirectUri }: KeyClient, newest: KeySecret | undefined) => ({
  id: clientId,
  name,
  redirectUri,
  tokenExpiresAt: iso(newest?.expiresAt ?? null),
})

const creditsOf = (amount: bigint | null) => (amount === null ? null : Number(amount))

/** When a day, a week and a month begin. */
const BEGINS = { day: '0 0 * * *', week: '0 0 * * 1', month: '0 0 1 * *' }

/** A window that has ended is begun anew by the next call: until then its numbers are past. */
function viewRecurringBudget(key: KeyRow, now: Date): KeyView['recurringBudget'] {
  const { period, periodBudget, periodEnd, periodSpent, periodHeld } = key
  if (period === null || periodBudget === null || periodEnd === null) return null
  const every = RecurringBudget.shape.every.parse(period)
  const isPast = periodEnd <= now
  const next = new Cron(BEGINS[every], { timezone: key.owner.timeZone, mode: '5-part' })
  const [spent, held] = isPast ? [0n, 0n] : [periodSpent, periodHeld]
  return {
    credits: Number(periodBudget),
    every,
    spent: Number(spent),
    held: Number(held),
    remaining: Number(periodBudget - spent - held),
    resetsAt: ((isPast && next.nextRun(now)) || periodEnd).toISOString(),
  }
}

type Seen = { lastUsedAt?: Date; now?: Date }

/** A key's row, and when it was last used, as its owner sees it. */
export function viewKey(key: KeyRow, { lastUsedAt, now = new Date() }: Seen = {}): KeyView {
  const [newest, old] = key.secrets
  const rotating = !key.client && old?.expiresAt && old.expiresAt > now ? old : null
  return {
    id: key.id,
    name: key.name,
    externalId: key.externalId,
    last4: newest?.last4 ?? '',
    state: stateOf(key, now),
    tools: key.allTools ? 'all' : key.tools,
    llm: key.llm,
    allowedModels: key.allowedModels,
    strict: key.strict,
    responseDays: key.responseDays,
    agent: key.agent,
    agentRunBudgetCredits: Number(key.agentRunBudgetCredits),
    capabilities: key.capabilities.length > 0 ? key.capabilities : null,
    budget: creditsOf(key.budget),
    spent: Number(key.spent),
    held: Number(key.held),
    remaining: key.budget === null ? null : Number(key.budget - key.spent - key.held),
    recurringBudget: viewRecurringBudget(key, now),
    management: key.management === null ? null : ManagementGrant.parse(key.management),
    tags: key.tags,
    customer: key.customer && shownCustomer(key.customer),
    namesCustomers: key.namesCustomers,
    rpm: key.rpm,
    expiresAt: iso(key.expiresAt),
    revokedAt: iso(key.revokedAt),
    lastUsedAt: iso(lastUsedAt ?? null),
    madeBy: key.maker?.email ?? null,
    createdAt: key.createdAt.toISOString(),
    ...(key.client && { client: viewClient(key.client, newest) }),
    rotation: rotating?.expiresAt ? { last4: rotating.last4, until: rotating.expiresAt.toISOString() } : null,
  }
}
