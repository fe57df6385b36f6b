import { apifyRoutes as marketplace } from './apify/routes'
import { braveRoutes as web } from './brave/routes'
import { coingeckoRoutes as crypto } from './coingecko/routes'
import { idealistaRoutes as property } from './idealista/routes'
import { modelRoutes as models } from './models/routes'
import { openaiRoutes as media } from './openai/routes'
import { redditRoutes as forum } from './reddit/routes'
import type { SandboxRoute } from './route'
import { xRoutes as microblog } from './x/routes'
import { youtubeRoutes as videosite } from './youtube/routes'

/** Every upstream the sandbox imitates, a name a group. */
export const sandboxRoutes: readonly SandboxRoute[] = [
  ...models,
  ...web,
  ...crypto,
  ...forum,
  ...microblog,
  ...videosite,
  ...property,
  ...media,
  ...marketplace,
]
