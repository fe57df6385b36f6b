import { apifyRoutes } from './apify/routes'
import { coingeckoRoutes } from './coingecko/routes'
import { falRoutes } from './fal/routes'
import { idealistaRoutes } from './idealista/routes'
import type { SandboxRoute } from './kit/route'
import { mediaRoutes } from './media/routes'
import { modelsRoutes } from './models/routes'
import { openaiRoutes } from './openai/routes'
import { openrouterRoutes } from './openrouter/routes'
import { pagesRoutes } from './pages/routes'
import { redditRoutes } from './reddit/routes'
import { searchRoutes } from './search/routes'
import { xRoutes } from './x/routes'
import { youtubeRoutes } from './youtube/routes'

/** The routes of every simulated provider. Written by `npm run generate`. */
export const sandboxRoutes: readonly SandboxRoute[] = [
  ...apifyRoutes,
  ...coingeckoRoutes,
  ...falRoutes,
  ...idealistaRoutes,
  ...mediaRoutes,
  ...modelsRoutes,
  ...openaiRoutes,
  ...openrouterRoutes,
  ...pagesRoutes,
  ...redditRoutes,
  ...searchRoutes,
  ...xRoutes,
  ...youtubeRoutes,
]
