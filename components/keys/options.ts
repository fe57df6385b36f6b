import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'
import type { KeyView } from '@/server/keys/shape'

/** What a key can be granted: tools by group with their prices, models, capability groups. */
export type KeyOptions = inferRouterOutputs<AppRouter>['keys']['options']
export type GrantableTool = KeyOptions['groups'][number]['tools'][number]

/** What a key that exists may call: it can be narrowed, not widened. */
export type GrantedScopes = Pick<
  KeyView,
  'tools' | 'llm' | 'allowedModels' | 'agent' | 'agentRunBudgetCredits' | 'capabilities'
>
