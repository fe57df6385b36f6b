import { z } from 'zod'
import { canPublishSites } from '../../sites/find'
import { listSites } from '../../sites/list'
import { defineTool } from '../../tools/define'

export const siteList = defineTool({
  id: 'site_list',
  label: 'List sites',
  capability: 'site',
  leadsTo: ['site_read', 'site_publish'],
  description: 'Lists the published sites with their URLs, the live version of each and its 20 newest versions.',
  params: z.strictObject({}),
  output: z.object({
    sites: z.array(
      z.object({
        slug: z.string(),
        url: z.string(),
        live: z.int().nullable().describe('The version that is served; null: the site was taken down'),
        versions: z.array(z.object({ version: z.int(), files: z.int(), bytes: z.int(), createdAt: z.iso.datetime() })),
      }),
    ),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // Names of live sites are public.
  flow: {
    reads: ({ sites }) => (sites.some(({ live }) => live === null) ? ['private'] : []),
    sink: { kind: 'inside' },
  },
  available: canPublishSites,
  run: async (_input, { ownerId }) => {
    const sites = await listSites(ownerId)
    // The address of a preview is not public.
    const withoutPreviews = sites.map(({ versions, ...site }) => ({
      ...site,
      versions: versions.map(({ preview: _, ...version }) => version),
    }))
    return { sites: withoutPreviews }
  },
})
