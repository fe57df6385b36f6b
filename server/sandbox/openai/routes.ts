import type { SandboxRoute } from '../kit/route'
import { openAiEmbeddings } from './embeddings'
import { openAiImage } from './images'
import { createOpenAiVideo, deleteOpenAiVideo, readOpenAiVideo } from './videos'

/**
 * OpenAI's embeddings, images and videos; the simulated chat models are in `../models`.
 * `../media/routes` lists the failures.
 */
export const openaiRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/v1/embeddings', handle: openAiEmbeddings },
  { method: 'POST', path: '/llm/v1/images/generations', handle: openAiImage },
  { method: 'POST', path: '/llm/v1/videos', handle: createOpenAiVideo },
  { method: 'GET', path: '/llm/v1/videos/*', handle: readOpenAiVideo },
  { method: 'DELETE', path: '/llm/v1/videos/*', handle: deleteOpenAiVideo },
]
