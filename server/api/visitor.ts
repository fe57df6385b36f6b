import { z } from 'zod'
import { findSharedRun } from '../agent/jobs/share'
import { SharedRun } from '../agent/jobs/share-shape'
import { listPrices } from '../catalog/prices'
import { findHostedFile } from '../files/read'
import { readChangelog } from '../guides/changelog'
import { getGuide, listGuides } from '../guides/guides'
import { docsIndex, getDocsMarkdown } from '../guides/markdown'
import { docsSearchEntries } from '../guides/search'
import { getToolGuide, listToolFacts } from '../guides/tools'
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

  /** A run that its owner shares by a link, or null. */
  sharedRun: visitorProcedure
    .input(z.string().max(100))
    .output(SharedRun.nullable())
    .query(({ input }) => findSharedRun(input)),

  /** What there is to read about this service. */
  guides: visitorProcedure.query(() => listGuides()),

  guide: visitorProcedure.input(z.string()).query(({ input }) => getGuide(input)),

  changelog: visitorProcedure.query(() => readChangelog()),

  tools: visitorProcedure.query(() => listToolFacts()),

  tool: visitorProcedure.input(z.string()).query(({ input }) => getToolGuide(input)),

  /** A page of the documentation as Markdown. */
  docsMarkdown: visitorProcedure.input(z.string()).query(({ input }) => getDocsMarkdown(input)),

  /** What tools and models cost here. */
  prices: visitorProcedure.query(() => listPrices()),

  /** What the search of the documentation looks through. */
  docsSearch: visitorProcedure.query(() => docsSearchEntries()),

  /** What language models read first. */
  llms: visitorProcedure.query(() => docsIndex()),

  oauth: oauthRouter,

  readiness: visitorProcedure.query(() => readReadiness()),
})
