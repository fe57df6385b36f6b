import { accountExportHandler } from './account-export'
import { canonicalRequest } from './api-paths'
import { auditCsvHandler } from './audit-csv'
import { authHandler } from './auth'
import { chatHandler } from './chat'
import { datasetHandler, ownDatasetHandler } from './datasets'
import { docsMarkdownHandler } from './docs-markdown'
import { docsSearchHandler } from './docs-search'
import { embeddingsHandler } from './embeddings'
import { filesHandler } from './files'
import { type Handler, pathOf } from './handler'
import { healthHandler } from './health'
import { jobEventsHandler } from './job-events'
import { llmsHandler } from './llms'
import { mcpHandler } from './mcp/handler'
import { countTokensHandler, messagesHandler } from './messages'
import { metricsHandler } from './metrics'
import { authorizeHandler } from './oauth/authorize'
import { registerHandler, revokeHandler, tokenHandler } from './oauth/clients'
import { wellKnownHandler } from './oauth/metadata'
import { openApiHandler } from './openapi'
import { operatorLogCsvHandler } from './operator-log-csv'
import { playgroundHandler } from './playground'
import { readyHandler } from './ready'
import { responsesHandler } from './responses'
import { restHandler } from './rest'
import { sitesHandler } from './sites'
import { statementCsvHandler } from './statement-csv'
import { trpcHandler } from './trpc'
import { usageCsvHandler } from './usage-csv'
import { versionHandler } from './version'

type Mount = readonly [path: string, handler: Handler]

/** The API under a path of `api-paths.ts`, which the HTTP server has rewritten by then. */
const aliasHandler: Handler = (req) => {
  const named = canonicalRequest(req)
  return (handlerAt(pathOf(named.url)) ?? restHandler)(named)
}

/**
 * The path of each handler. `*` is one segment, or at the end everything below. The first match
 * serves. The HTTP server sends these paths to their handlers without Next, whose own dispatch
 * costs far more CPU; `app/` has a route file for each, so that it lists every URL.
 */
export const MOUNTS = [
  ['/api/v1/openapi.json', openApiHandler],
  ['/api/v1/chat/completions', chatHandler],
  ['/api/v1/embeddings', embeddingsHandler],
  ['/api/v1/responses', responsesHandler],
  ['/api/v1/messages', messagesHandler],
  ['/api/v1/messages/count_tokens', countTokensHandler],
  ['/api/v1/mcp', mcpHandler],
  ['/api/v1/agent/*/events', jobEventsHandler],
  ['/api/v1/datasets/*', datasetHandler],
  ['/api/v1/*', restHandler],
  ['/v1/*', aliasHandler],
  ['/openai/v1/*', aliasHandler],
  ['/files/*', filesHandler],
  ['/sites/*', sitesHandler],
  ['/llms.txt', llmsHandler],
  ['/docs-search', docsSearchHandler],
  ['/healthz', healthHandler],
  ['/readyz', readyHandler],
  ['/version', versionHandler],
  ['/metrics', metricsHandler],
  ['/.well-known/*', wellKnownHandler],
  ['/authorize', authorizeHandler],
  ['/register', registerHandler],
  ['/token', tokenHandler],
  ['/revoke', revokeHandler],
  ['/api/auth/*', authHandler],
  ['/api/playground/chat', playgroundHandler],
  ['/api/trpc/*', trpcHandler],
] as const satisfies readonly Mount[]

/** Mounted by `app/` alone, because Next decides who gets there: sign-in, or `proxy.ts`. */
export const APP_MOUNTS = [
  ['/usage/export', usageCsvHandler],
  ['/credits/export', statementCsvHandler],
  ['/settings/audit/export', auditCsvHandler],
  ['/settings/account/export', accountExportHandler],
  ['/operators/log/export', operatorLogCsvHandler],
  ['/datasets/*', ownDatasetHandler],
  ['/docs-markdown/*', docsMarkdownHandler],
] as const satisfies readonly Mount[]

export type MountPath = (typeof MOUNTS | typeof APP_MOUNTS)[number][0]

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\/\*$/, '/.*').replaceAll('/*/', '/[^/]+/')}$`)

const patterns = MOUNTS.map(([at, handler]) => ({ at, handler, pattern: at.includes('*') ? patternOf(at) : null }))

/** The handler of a path, or undefined where Next serves. */
export const handlerAt = (path: string): Handler | undefined =>
  patterns.find(({ at, pattern }) => (pattern ? pattern.test(path) : path === at))?.handler
