import { accountRouter } from './dashboard/account'
import { budgetsRouter } from './dashboard/budgets'
import { consentRouter } from './dashboard/consent'
import { creditsRouter } from './dashboard/credits'
import { ownerDatasetsRouter } from './dashboard/datasets'
import { examplesRouter } from './dashboard/examples'
import { issuerRouter } from './dashboard/issuer'
import { jobs } from './dashboard/jobs'
import { keysRouter } from './dashboard/keys'
import { libraryRouter } from './dashboard/library'
import { membersRouter } from './dashboard/members'
import { ownerModelsRouter } from './dashboard/models'
import { noticesRouter } from './dashboard/notices'
import { overviewRouter } from './dashboard/overview'
import { playgroundRouter } from './dashboard/playground'
import { ownerSchedulesRouter } from './dashboard/schedules'
import { searchRouter } from './dashboard/search'
import { securityRouter } from './dashboard/security'
import { settingsRouter } from './dashboard/settings'
import { ownerToolsRouter } from './dashboard/tools'
import { ownerUsageRouter } from './dashboard/usage'
import { welcomeRouter } from './dashboard/welcome'
import { manageBudgetsRouter } from './manage/budgets'
import { manageCustomersRouter } from './manage/customers'
import { manageKeysRouter } from './manage/keys'
import { manageMembersRouter } from './manage/members'
import { manageUsageRouter } from './manage/usage'
import { operatorsRouter } from './operators/router'
import { agent } from './public/agent'
import { batchProcedure } from './public/batch'
import { catalogProcedure } from './public/catalog'
import { chatProcedure } from './public/chat'
import { conversations } from './public/conversations'
import { creditsProcedure } from './public/credits'
import { datasets } from './public/datasets'
import { embeddingsProcedure } from './public/embeddings'
import { generationProcedure } from './public/generation'
import { imagesProcedure } from './public/images'
import { keptResponses } from './public/kept-responses'
import { keyStatusProcedure } from './public/key'
import { libraryOperations } from './public/library'
import { mcpRouter } from './public/mcp'
import { messagesRouter } from './public/messages'
import { modelsRouter } from './public/models'
import { queryProcedure } from './public/query'
import { responsesProcedure } from './public/responses'
import { schedulesRouter } from './public/schedules'
import { tasksRouter } from './public/tasks'
import { usageRouter } from './public/usage'
import { webhooksRouter } from './public/webhooks'
import { router } from './trpc'
import { visitorRouter } from './visitor'

/**
 * Every operation: what visitors read, the public API (with openapi meta) and the dashboard's
 * procedures.
 */
export const appRouter = router({
  visitor: visitorRouter,
  public: router({
    agent,
    datasets,
    library: libraryOperations,
    schedules: schedulesRouter,
    chat: chatProcedure,
    embeddings: embeddingsProcedure,
    responses: responsesProcedure,
    keptResponses,
    conversations,
    messages: messagesRouter,
    images: imagesProcedure,
    query: queryProcedure,
    batch: batchProcedure,
    tasks: tasksRouter,
    catalog: catalogProcedure,
    key: keyStatusProcedure,
    credits: creditsProcedure,
    generation: generationProcedure,
    mcp: mcpRouter,
    usage: usageRouter,
    webhooks: webhooksRouter,
    models: modelsRouter,
    manage: router({
      keys: manageKeysRouter,
      budgets: manageBudgetsRouter,
      customers: manageCustomersRouter,
      usage: manageUsageRouter,
      members: manageMembersRouter,
    }),
  }),
  keys: keysRouter,
  budgets: budgetsRouter,
  consent: consentRouter,
  jobs,
  examples: examplesRouter,
  welcome: welcomeRouter,
  schedules: ownerSchedulesRouter,
  datasets: ownerDatasetsRouter,
  library: libraryRouter,
  usage: ownerUsageRouter,
  credits: creditsRouter,
  notices: noticesRouter,
  overview: overviewRouter,
  models: ownerModelsRouter,
  tools: ownerToolsRouter,
  playground: playgroundRouter,
  account: accountRouter,
  members: membersRouter,
  issuer: issuerRouter,
  security: securityRouter,
  settings: settingsRouter,
  search: searchRouter,
  operators: operatorsRouter,
})

export type AppRouter = typeof appRouter
