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
 * Where each door stands: a path, in which `*` is one segment, or at its end everything below. The first that fits serves.
 * The production server sends these paths straight to the doors; `app/` mounts the same doors for any other Next host.
 */
export const MOUNTS: readonly (readonly [path: string, door: Handler])[] = [
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

const patternOf = (at: string): RegExp => new RegExp(`^${at.replace(/\/\*$/, '/.*').replaceAll('/*/', '/[^/]+/')}$`)

const patterns = MOUNTS.map(([at, door]) => ({ at, door, pattern: at.includes('*') ? patternOf(at) : null }))

/** The door of a path, or undefined where Next serves. */
export const handlerAt = (path: string): Handler | undefined =>
  patterns.find(({ at, pattern }) => (pattern ? pattern.test(path) : path === at))?.door
