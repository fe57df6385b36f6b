import type { Key, KeyClient, KeySecret } from '../../prisma/generated/client'
import type { KeyState, KeyView } from './shape'

export type KeyRow = Key & { secrets: KeySecret[]; client: KeyClient | null }

/** What every read of a key brings along: its secrets, newest first, and the client that has it. */
export const keyRelations = { secrets: { orderBy: { createdAt: 'desc' } }, client: true } as const

const iso = (at: Date | null) => at?.toISOString() ?? null

function stateOf(key: KeyRow, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt && key.expiresAt <= now) return 'expired'
  if (key.budget !== null && key.spent >= key.budget) return 'spent'
  return 'active'
}

const viewClient = ({ clientId, name, redirectUri }: KeyClient) => ({ id: clientId, name, redirectUri })

type Seen = { lastUsedAt?: Date; now?: Date }

/** A key's row, and when it was last used, as its owner sees it. */
export function viewKey(key: KeyRow, { lastUsedAt, now = new Date() }: Seen = {}): KeyView {
  const [newest, old] = key.secrets
  const rotating = old?.expiresAt && old.expiresAt > now ? old : null
  return {
    id: key.id,
    name: key.name,
    last4: newest?.last4 ?? '',
    state: stateOf(key, now),
    tools: key.allTools ? 'all' : key.tools,
    llm: key.llm,
    allowedModels: key.allowedModels,
    agent: key.agent,
    agentRunBudgetCredits: Number(key.agentRunBudgetCredits),
    capabilities: key.capabilities.length > 0 ? key.capabilities : null,
    budget: key.budget === null ? null : Number(key.budget),
    spent: Number(key.spent),
    held: Number(key.held),
    remaining: key.budget === null ? null : Number(key.budget - key.spent - key.held),
    rpm: key.rpm,
    expiresAt: iso(key.expiresAt),
    revokedAt: iso(key.revokedAt),
    lastUsedAt: iso(lastUsedAt ?? null),
    createdAt: key.createdAt.toISOString(),
    ...(key.client && { client: viewClient(key.client) }),
    rotation: rotating?.expiresAt ? { last4: rotating.last4, until: rotating.expiresAt.toISOString() } : null,
  }
}
