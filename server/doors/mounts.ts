import { authDoor } from './auth'
import { chatDoor } from './chat'
import { eventsDoor } from './events'
import type { Door } from './exchange'
import { filesDoor } from './files'
import { healthDoor, readyDoor } from './health'
import { llmsDoor } from './llms'
import { mcpDoor } from './mcp'
import { metricsDoor } from './metrics'
import { openApiDoor } from './openapi'
import { playgroundDoor } from './playground'
import { restDoor } from './rest'
import { sitesDoor } from './sites'
import { trpcDoor } from './trpc'

/**
 * Where each door stands: a path, in which `*` is one segment, or at its end everything below. The first that fits serves.
 * The production server sends these paths straight to the doors; `app/` mounts the same doors for any other Next host.
 */
export const MOUNTS: readonly (readonly [path: string, door: Door])[] = [
  ['/api/v1/openapi.json', openApiDoor],
  ['/api/v1/chat/completions', chatDoor],
  ['/api/v1/mcp', mcpDoor],
  ['/api/v1/agent/*/events', eventsDoor],
  ['/api/v1/*', restDoor],
  ['/files/*', filesDoor],
  ['/sites/*', sitesDoor],
  ['/llms.txt', llmsDoor],
  ['/healthz', healthDoor],
  ['/readyz', readyDoor],
  ['/metrics', metricsDoor],
  ['/api/auth/*', authDoor],
  ['/api/playground/chat', playgroundDoor],
  ['/api/trpc/*', trpcDoor],
]

const patternOf = (at: string): RegExp => new RegExp(`^${at.replace(/\/\*$/, '/.*').replaceAll('/*/', '/[^/]+/')}$`)

const patterns = MOUNTS.map(([at, door]) => ({ at, door, pattern: at.includes('*') ? patternOf(at) : null }))

/** The door of a path, or undefined where Next serves. */
export const doorAt = (path: string): Door | undefined =>
  patterns.find(({ at, pattern }) => (pattern ? pattern.test(path) : path === at))?.door
