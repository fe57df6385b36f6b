import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { AppError } from '../../errors'
import { describeDiff, diffFiles, isUnchanged } from '../../sites/diff'
import { makeDraft } from '../../sites/draft'
import { canPublishSites, findSite } from '../../sites/find'
import { publishSite } from '../../sites/publish'
import { MAX_SITE_FILES, type SiteFileInput, Slug } from '../../sites/shape'
import { defineTool } from '../../tools/define'
import { truncateForDisplay } from '../../tools/flow'

const File = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(300)
    .describe('Path in the site, such as index.html or css/style.css; a folder shows its index.html'),
  content: z.string().optional().describe('The file as text'),
  base64: z.string().optional().describe('The file as base64, instead of content'),
})

/** The files as they would be published; null: publishing will refuse them. */
function readable(ownerId: number, files: readonly SiteFileInput[]) {
  try {
    return makeDraft(ownerId, files)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** What a file says, if it is text. */
const textOf = ({ path, content, base64 }: SiteFileInput): string =>
  `${path}\n${content ?? Buffer.from(base64 ?? '', 'base64').toString('utf8')}`

/** The files one after the other, as a person sees them. */
const contentsOf = (files: readonly SiteFileInput[]): string =>
  files.map(({ path, content, base64 }) => `${path}:\n${content ?? base64 ?? ''}`).join('\n\n')

export const sitePublish = defineTool({
  id: 'site_publish',
  label: 'Publish a site',
  capability: 'site',
  leadsTo: ['site_read'],
  description:
    'Publishes a static site (HTML, CSS, scripts, images) at a public URL. Give all files each time: they become the ' +
    'next version, without those left out. Use relative links between pages; 404.html is shown for missing pages. Pages ' +
    "run without cookies and storage. Replacing a live site needs a person's approval.",
  params: z.strictObject({
    slug: Slug.describe('Name in the URL, /sites/<slug>/: 3 to 63 lower-case letters, digits and hyphens'),
    files: z.array(File).min(1).max(MAX_SITE_FILES).describe('Every file of the site, including index.html'),
  }),
  output: z.object({
    url: z.string(),
    version: z.int(),
    replaced: z.int().nullable().describe('The version that was live before; null: none, or nothing changed'),
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: true, idempotent: true },
  flow: {
    reads: [],
    sink: {
      kind: 'site',
      outgoing: ({ slug, files }) => ({
        to: slug,
        summary: `Publish ${files.length === 1 ? 'one file' : `${files.length} files`} at ${siteUrl(slug)}, where everyone can read them: ${truncateForDisplay(contentsOf(files))}`,
        whole: contentsOf(files),
        texts: [slug, ...files.map(textOf)],
      }),
    },
  },
  artifacts: ({ url }, { slug }) => [{ kind: 'site', id: slug, name: slug, url }],
  available: canPublishSites,
  async asks({ slug, files }, { ownerId }) {
    const state = await findSite(ownerId, slug)
    const draft = readable(ownerId, files)
    if (!state?.live || !draft) return null
    const difference = diffFiles(state.live.files, draft)
    if (isUnchanged(difference)) return null
    return {
      summary: `Replace version ${state.live.version} of the site ${slug} with version ${state.next}: ${describeDiff(difference)}.`,
      reason: `The site is live at ${siteUrl(slug)}: visitors get the new version at once.`,
      deploymentId: `${slug}@${state.next}`,
      needs: [{ kind: 'sites', name: slug }],
    }
  },
  run: ({ slug, files }, { ownerId, approved = false }) => publishSite(ownerId, { slug, files, mayReplace: approved }),
})
