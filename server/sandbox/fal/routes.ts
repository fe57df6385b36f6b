import type { SandboxRoute } from '../kit/route'
import { cancelQueued, queuedFile, readQueue, submitToQueue } from './queue'

/**
 * fal's queue. `../media/routes` lists the failures; besides them: `sandbox:balance` (403)
 * `sandbox:504` and `sandbox:nsfw` (the image is blacked out).
 */
export const falRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/fal/*', handle: submitToQueue },
  { method: 'GET', path: '/fal/*', handle: readQueue },
  { method: 'PUT', path: '/fal/*', handle: cancelQueued },
  { method: 'GET', path: '/fal-files/*', handle: queuedFile },
]
