import type { GrantedScopes } from './options'

/** What keys can be allowed, by the names that every page uses. */
export const SCOPE_NAMES = { tools: 'Tools', llm: 'Models', agent: 'Agents' } as const

/** What a key may call, in a few words. */
export function scopesOf({ tools, llm, agent }: Pick<GrantedScopes, 'tools' | 'llm' | 'agent'>): string {
  const words = [
    tools === 'all' ? 'all tools' : tools.length > 0 && `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    llm && SCOPE_NAMES.llm.toLowerCase(),
    agent && SCOPE_NAMES.agent.toLowerCase(),
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : 'nothing'
}
