import type { SandboxRoute } from '../kit/route'
import { openAiError } from '../media/answers'
import { openRouterImage } from './images'
import { createOpenRouterVideo, readOpenRouterVideo } from './videos'

/**
 * OpenRouter's images and videos. Images in chat completions are returned by the simulated chat
 * models, through `completeWithImage`. `../media/routes` lists the failures.
 */
export const openrouterRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/api/v1/images', handle: openRouterImage },
  { method: 'POST', path: '/llm/api/v1/videos', handle: createOpenRouterVideo },
  { method: 'GET', path: '/llm/api/v1/videos/*', handle: readOpenRouterVideo },
  // There is no way to cancel a job.
  { method: 'DELETE', path: '/llm/api/v1/videos/*', handle: () => openAiError(404, null, 'Not found.') },
]
