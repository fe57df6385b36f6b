import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { canPublishSites, findSite } from '../../sites/find'
import { takeDownSite } from '../../sites/take-down'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { siteSlugParam } from './params'

export const siteTakeDown = defineTool({
  id: 'site_take_down',
  label: 'Take a site down',
  capability: 'site',
  description:
    'Stops serving a site. Its versions and its name are kept, so that site_rollback can serve it again. This needs a ' +
    "person's approval.",
  params: z.strictObject({ slug: siteSlugParam }),
  output: z.object({
    slug: z.string(),
    wasLive: z.int().nullable().describe('The version that was served; null: the site was not served'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: true, idempotent: true },
  flow: STAYS_INSIDE,
  available: canPublishSites,
  async asks({ slug }, { ownerId }) {
    const live = (await findSite(ownerId, slug))?.live
    if (!live) return null
    return {
      summary: `Take the site ${slug} down: version ${live.version} with ${live.files.length === 1 ? '1 file' : `${live.files.length} files`}.`,
      reason: `${siteUrl(slug)} serves nothing until a version is served again.`,
      deploymentId: `${slug}@${live.version}`,
    }
  },
  run: ({ slug }, { ownerId, approved = false }) => takeDownSite(ownerId, { slug, mayReplace: approved }),
})
