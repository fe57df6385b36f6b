import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { AppError } from '../../errors'
import { canPublishSites, filesOfVersion, findSite, siteNotFound } from '../../sites/find'
import { readSiteText } from '../../sites/read'
import { defineTool } from '../../tools/define'
import { siteSlugParam, siteVersionParam } from './params'

/** Characters of a file that one call returns at most. */
const MAX_CHARS = 200_000

export const siteRead = defineTool({
  id: 'site_read',
  label: 'Read a site',
  capability: 'site',
  leadsTo: ['site_publish'],
  description: 'Lists the files of a version of a site, or returns the text of one of them.',
  params: z.strictObject({
    slug: siteSlugParam,
    version: siteVersionParam
      .optional()
      .describe('Which version; omitted: the live one, or the newest of a site that is not served'),
    path: z.string().min(1).max(300).optional().describe('The file whose text to return; omitted: the list of files'),
  }),
  output: z.object({
    url: z.string(),
    version: z.int(),
    isLive: z.boolean().describe('This version is served'),
    files: z.array(z.object({ path: z.string(), contentType: z.string(), bytes: z.int() })).optional(),
    content: z.string().optional(),
    cut: z.boolean().optional().describe('The text was truncated'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // It may contain text that its run found on pages. Only the live version is public.
  flow: {
    reads: ({ isLive }) => (isLive ? ['foreign'] : ['foreign', 'private']),
    failedReads: [],
    sink: { kind: 'inside' },
  },
  available: canPublishSites,
  async run({ slug, version: wanted, path }, { ownerId }) {
    const state = await findSite(ownerId, slug)
    if (!state) throw siteNotFound(slug)
    const version = wanted ?? state.live?.version ?? state.next - 1
    const files = await filesOfVersion(ownerId, slug, version)
    if (!files) throw new AppError('not_found', `The site ${slug} has no version ${version}.`)
    const about = { url: siteUrl(slug), version, isLive: version === state.live?.version }
    if (path === undefined) {
      return { ...about, files: files.map(({ path, contentType, bytes }) => ({ path, contentType, bytes })) }
    }
    const content = await readSiteText(ownerId, slug, { version, path })
    return { ...about, content: content.slice(0, MAX_CHARS), cut: content.length > MAX_CHARS }
  },
})
