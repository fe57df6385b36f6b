import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { describeDiff, diffFiles } from '../../sites/diff'
import { canPublishSites, filesOfVersion, findSite } from '../../sites/find'
import { rollBackSite } from '../../sites/rollback'
import { defineTool } from '../../tools/define'
import { siteSlugParam, siteVersionParam } from './params'

export const siteRollback = defineTool({
  id: 'site_rollback',
  label: 'Roll a site back',
  capability: 'site',
  description:
    "Serves another version of a site; a site that was taken down is served again. This needs a person's approval.",
  params: z.strictObject({
    slug: siteSlugParam,
    version: siteVersionParam.describe('The version to serve, one of those in site_list'),
  }),
  output: z.object({
    url: z.string(),
    version: z.int(),
    replaced: z.int().nullable().describe('The version that was live before'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: true, idempotent: true },
  flow: {
    reads: [],
    sink: {
      kind: 'site',
      outgoing: ({ slug, version }) => ({
        to: slug,
        summary: `Publish version ${version} of the site ${slug} again at ${siteUrl(slug)}, where everyone can read it.`,
        texts: [],
      }),
    },
  },
  available: canPublishSites,
  async asks({ slug, version }, { ownerId }) {
    const [state, files] = [await findSite(ownerId, slug), await filesOfVersion(ownerId, slug, version)]
    // The call fails or changes nothing.
    if (!state || !files || state.live?.version === version) return null
    const { live } = state
    return {
      summary: live
        ? `Replace version ${live.version} of the site ${slug} with version ${version}: ${describeDiff(diffFiles(live.files, files))}.`
        : `Serve version ${version} of the site ${slug}, which is taken down.`,
      reason: `Visitors of ${siteUrl(slug)} get it at once.`,
      deploymentId: `${slug}@${version}`,
    }
  },
  run: ({ slug, version }, { ownerId, approved = false }) =>
    rollBackSite(ownerId, { slug, version, mayReplace: approved }),
})
