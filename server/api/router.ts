import { account } from './dashboard/account'
import { jobs } from './dashboard/jobs'
import { keys } from './dashboard/keys'
import { ownerModels } from './dashboard/models'
import { overview } from './dashboard/overview'
import { playground } from './dashboard/playground'
import { settings } from './dashboard/settings'
import { ownerTools } from './dashboard/tools'
import { ownerUsage } from './dashboard/usage'
import { agent } from './public/agent'
import { catalog } from './public/catalog'
import { chat } from './public/chat'
import { key } from './public/key'
import { mcp } from './public/mcp'
import { models } from './public/models'
import { query } from './public/query'
import { usage } from './public/usage'
import { router } from './trpc'

/** Everything anyone may do: the public API (with openapi meta) and the dashboard's procedures. */
export const appRouter = router({
  public: router({ agent, chat, query, catalog, key, mcp, usage, models }),
  keys,
  jobs,
  usage: ownerUsage,
  overview,
  models: ownerModels,
  tools: ownerTools,
  playground,
  account,
  settings,
})

export type AppRouter = typeof appRouter
