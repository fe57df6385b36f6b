import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

/** What a key can be granted: tools by group with their prices, models, capability groups. */
export type KeyOptions = inferRouterOutputs<AppRouter>['keys']['options']
export type GrantableTool = KeyOptions['groups'][number]['tools'][number]
