import { authDoor } from './auth'
import { chatDoor } from './chat'
import type { Door } from './exchange'
import { filesDoor } from './files'
import { healthDoor, readyDoor } from './health'
import { mcpDoor } from './mcp'
import { metricsDoor } from './metrics'
import { openApiDoor } from './openapi'
import { playgroundDoor } from './playground'
import { restDoor } from './rest'
import { sitesDoor } from './sites'
import { trpcDoor } from './trpc'

/**
 * Where each door stands: an exact path, or everything below one that ends with `/*`. The first that fits serves.
 * The production server sends these paths straight to the doors; `app/` mounts the same doors for any other Next host.
 */
export const MOUNTS: readonly (readonly [path: string, door: Door])[] = [
  ['/api/v1/openapi.json', openApiDoor],
  ['/api/v1/chat/completions', chatDoor],
  ['/api/v1/mcp', mcpDoor],
  ['/api/v1/*', restDoor],
  ['/files/*', filesDoor],
  ['/sites/*', sitesDoor],
  ['/healthz', healthDoor],
  ['/readyz', readyDoor],
  ['/metrics', metricsDoor],
  ['/api/auth/*', authDoor],
  ['/api/playground/chat', playgroundDoor],
  ['/api/trpc/*', trpcDoor],
]

/** The door of a path, or undefined where Next serves. */
export const doorAt = (path: string): Door | undefined =>
  MOUNTS.find(([at]) => (at.endsWith('/*') ? path.startsWith(at.slice(0, -1)) : path === at))?.[1]
