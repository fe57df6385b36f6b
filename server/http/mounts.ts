import { authHandler } from './auth'
import { chatHandler } from './chat'
import { filesHandler } from './files'
import type { Handler } from './handler'
import { healthHandler, readyHandler } from './health'
import { jobEventsHandler } from './job-events'
import { llmsHandler } from './llms'
import { mcpHandler } from './mcp/handler'
import { metricsHandler } from './metrics'
import { openApiHandler } from './openapi'
import { playgroundHandler } from './playground'
import { restHandler } from './rest'
import { sitesHandler } from './sites'
import { trpcHandler } from './trpc'

/**
 * The path of each handler. `*` is one segment, or at the end everything below. The first match
 * serves. The production server calls these handlers directly; `app/` mounts the same ones for any
 * other host of Next.
 */
export const MOUNTS: readonly (readonly [path: string, handler: Handler])[] = [
  ['/api/v1/openapi.json', openApiHandler],
  ['/api/v1/chat/completions', chatHandler],
  ['/api/v1/mcp', mcpHandler],
  ['/api/v1/agent/*/events', jobEventsHandler],
  ['/api/v1/*', restHandler],
  ['/files/*', filesHandler],
  ['/sites/*', sitesHandler],
  ['/llms.txt', llmsHandler],
  ['/healthz', healthHandler],
  ['/readyz', readyHandler],
  ['/metrics', metricsHandler],
  ['/api/auth/*', authHandler],
  ['/api/playground/chat', playgroundHandler],
  ['/api/trpc/*', trpcHandler],
]

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\/\*$/, '/.*').replaceAll('/*/', '/[^/]+/')}$`)

const patterns = MOUNTS.map(([mount, handler]) => ({
  mount,
  handler,
  pattern: mount.includes('*') ? patternOf(mount) : null,
}))

/** The handler of a path, or undefined where Next serves. */
export const handlerAt = (path: string): Handler | undefined =>
  patterns.find(({ mount, pattern }) => (pattern ? pattern.test(path) : path === mount))?.handler
