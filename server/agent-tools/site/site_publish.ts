import { z } from 'zod'
import { AppError } from '../../errors'
import { describeDiff, diffFiles, isUnchanged } from '../../sites/diff'
import { makeDraft } from '../../sites/draft'
import { canPublishSites, findSite, siteUrl } from '../../sites/find'
import { publishSite } from '../../sites/publish'
import { MAX_SITE_FILES, type SiteFileInput, Slug } from '../../sites/shape'
import { defineTool } from '../../tools/define'
import { truncateForDisplay } from '../../tools/exposure'

const File = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(300)
    .describe('Where it stands in the site, such as index.html or css/style.css; a folder shows its index.html'),
  content: z.string().optional().describe('The file as text'),
  base64: z.string().optional().describe('The file as base64, in place of content'),
})

/** The files as they would be published, or null for what publishing will refuse. */
function readable(ownerId: number, files: readonly SiteFileInput[]) {
  try {
    return makeDraft(ownerId, files)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The files one after the other, as a person is shown them. */
const contentsOf = (files: readonly SiteFileInput[]): string =>
  files.map(({ path, content, base64 }) => `${path}:\n${content ?? base64 ?? ''}`).join('\n\n')

export const sitePublish = defineTool({
  id: 'site_publish',
  label: 'Publish a site',
  capability: 'site',
  description:
    'Publishes a static site (HTML, CSS, scripts, pictures) at a public URL. Give all of its files each time: they become ' +
    'the next version, and what is left out is gone from it. Use relative links between pages; 404.html is shown for what ' +
    'is missing. Pages run without cookies and storage. Replacing a live site is put to a person first.',
  params: z.strictObject({
    slug: Slug.describe('Name in the URL, /sites/<slug>/: 3 to 63 lower-case letters, digits and hyphens'),
    files: z.array(File).min(1).max(MAX_SITE_FILES).describe('Every file of the site, index.html among them'),
  }),
  output: z.object({
    url: z.string(),
    version: z.int(),
    replaced: z.int().nullable().describe('The version that was live before; null where none was or nothing changed'),
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: true, idempotent: true },
  exposure: {
    foreign: false,
    private: false,
    sends: ({ slug, files }) => ({
      summary: `Publish ${files.length === 1 ? 'one file' : `${files.length} files`} at ${siteUrl(slug)}, where everybody can read them: ${truncateForDisplay(contentsOf(files))}`,
      whole: contentsOf(files),
      urls: [],
      texts: [slug, contentsOf(files)],
    }),
  },
  available: canPublishSites,
  async asks({ slug, files }, { ownerId }) {
    const state = await findSite(ownerId, slug)
    const draft = readable(ownerId, files)
    if (!state?.live || !draft) return null
    const difference = diffFiles(state.live.files, draft)
    if (isUnchanged(difference)) return null
    return {
      summary: `Replace version ${state.live.version} of the site ${slug} by version ${state.next}: ${describeDiff(difference)}.`,
      reason: `The site is live at ${siteUrl(slug)}: its visitors get the new version at once.`,
      deploymentId: `${slug}@${state.next}`,
    }
  },
  run: ({ slug, files }, { ownerId, approved = false }) => publishSite(ownerId, { slug, files, mayReplace: approved }),
})
