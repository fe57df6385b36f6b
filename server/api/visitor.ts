import { z } from 'zod'
import { llmsIndex } from '../catalog/llms'
import { findHostedFile } from '../files/read'
import { canPublishSites } from '../sites/find'
import { readSitePage } from '../sites/read'
import { oauthRouter } from './oauth'
import { readReadiness } from './readiness'
import { router, visitorProcedure } from './trpc'

/** What anyone may read: no key and no session is looked at. */
export const visitorRouter = router({
  /** A hosted file, or null. Whoever has a file's id may read it. */
  file: visitorProcedure.input(z.string()).query(({ input }) => findHostedFile(input)),

  /** A page of a live site, or null where there is no such site. */
  sitePage: visitorProcedure
    .input(z.object({ slug: z.string(), path: z.string() }))
    .query(({ input: { slug, path } }) => (canPublishSites() ? readSitePage(slug, path) : null)),

  /** What language models read first. */
  llms: visitorProcedure.query(() => llmsIndex()),

  oauth: oauthRouter,

  readiness: visitorProcedure.query(() => readReadiness()),
})
