import type { KeyView, ManagementScope } from '@/server/keys/shape'
import type { GrantedScopes } from './options'

/** What keys can be allowed, by the names that every page uses. */
export const SCOPE_NAMES = { tools: 'Tools', llm: 'Models', agent: 'Agents' } as const

type Managed = { id: ManagementScope; label: string; note: string }

/** What a management key can be allowed. */
export const MANAGED: readonly Managed[] = [
  { id: 'keys', label: 'Keys', note: 'Make, change, rotate and revoke keys' },
  { id: 'budgets', label: 'Budgets', note: 'Make, change and delete budgets' },
  { id: 'customers', label: 'Customers', note: 'List and suspend customers' },
  { id: 'usage', label: 'Usage', note: 'Read what was spent' },
  { id: 'members', label: 'Members', note: 'Invite, change and remove members who are no owners' },
]

/** A secret as lists show it, by its last four characters. */
export const secretHint = ({ management }: Pick<KeyView, 'management'>, last4: string): string =>
  `${management ? 'tgm_' : 'tg_'}…${last4}`

/** What a key may call, or manage, in a few words. */
export function scopesOf({
  tools,
  llm,
  agent,
  management,
}: Pick<GrantedScopes, 'tools' | 'llm' | 'agent'> & Pick<KeyView, 'management'>): string {
  if (management) return `manages ${management.scopes.join(', ')}`
  const words = [
    tools === 'all' ? 'all tools' : tools.length > 0 && `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    llm && SCOPE_NAMES.llm.toLowerCase(),
    agent && SCOPE_NAMES.agent.toLowerCase(),
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : 'nothing'
}
