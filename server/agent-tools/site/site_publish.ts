import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { AppError } from '../../errors'
import { siteChanges } from '../../sites/changes'
import { describeDiff, diffFiles, isUnchanged } from '../../sites/diff'
import { makeDraft } from '../../sites/draft'
import { canPublishSites, findSite } from '../../sites/find'
import { publishSite } from '../../sites/publish'
import { type SiteFile, type SiteFileInput, Slug } from '../../sites/shape'
import { defineTool } from '../../tools/define'
import { truncateForDisplay } from '../../tools/flow'
import { filesGiven, SITE_FILES } from './given-files'

/** The files as they would be published; null: publishing will refuse them. */
function readable(ownerId: number, files: readonly SiteFileInput[]) {
  try {
    return makeDraft(ownerId, files)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Null for a call that is refused when it is made. */
function nullWhereRefused(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

/** What a file says, if it is text. */
const textOf = ({ path, content, base64 }: SiteFileInput): string =>
  `${path}\n${content ?? Buffer.from(base64 ?? '', 'base64').toString('utf8')}`

/** The files one after the other, as a person sees them. */
const contentsOf = (files: readonly SiteFileInput[]): string =>
  files.map(({ path, content, base64 }) => `${path}:\n${content ?? base64 ?? ''}`).join('\n\n')

/** Names of files that a sentence has. */
const MAX_NAMED = 8
const sizeOf = (files: readonly { bytes: number }[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** What a site would lose, as sentences: files that go, and most of its content. */
function whatGoes(before: readonly SiteFile[], after: readonly SiteFile[]): string {
  const kept = new Set(after.map(({ path }) => path))
  const gone = before.flatMap(({ path }) => (kept.has(path) ? [] : [path]))
  const more = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : ''
  const names = gone.length > 0 ? ` It removes ${gone.slice(0, MAX_NAMED).join(', ')}${more}.` : ''
  const [was, is] = [sizeOf(before), sizeOf(after)]
  return is < was / 2 ? `${names} The site shrinks from ${was} to ${is} bytes.` : names
}

export const sitePublish = defineTool({
  id: 'site_publish',
  label: 'Publish a site',
  capability: 'site',
  leadsTo: ['site_read'],
  description:
    'Publishes a static site (HTML, CSS, scripts, images) at a public URL. The files become the next version, without ' +
    'those left out; to change some of the live version, set keep and give these alone, or edits. Use relative links ' +
    'between pages; 404.html is shown for missing pages. Pages run without cookies and storage. Replacing a live site ' +
    "needs a person's approval; preview shows a version at a private address first.",
  params: z.strictObject({
    slug: Slug.describe('Name in the URL, /sites/<slug>/: 3 to 63 lower-case letters, digits and hyphens'),
    ...SITE_FILES,
    preview: z
      .boolean()
      .default(false)
      .describe(
        'Do not replace the live version: show this one at an address that nobody guesses; site_rollback makes it public',
      ),
  }),
  output: z.object({
    url: z.string(),
    isPublic: z.boolean().describe('false: url is that of a preview'),
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
      outgoing: async ({ slug, preview, ...given }, caller) => {
        const files = (await filesGiven({ slug, ...given }, caller).catch(nullWhereRefused))?.named
        if (!files) return null
        const where = preview
          ? `at a private address of ${slug}, where whoever has it can read them`
          : `at ${siteUrl(slug)}, where everyone can read them`
        return {
          to: slug,
          summary: `Publish ${files.length === 1 ? 'one file' : `${files.length} files`} ${where}: ${truncateForDisplay(contentsOf(files))}`,
          whole: contentsOf(files),
          texts: [slug, ...files.map(textOf)],
        }
      },
    },
  },
  artifacts: ({ url }, { slug }) => [{ kind: 'site', id: slug, name: slug, url }],
  available: canPublishSites,
  async asks({ slug, preview, ...given }, caller) {
    const { ownerId } = caller
    if (preview) return null
    const state = await findSite(ownerId, slug)
    const files = state?.live ? await filesGiven({ slug, ...given }, caller).catch(nullWhereRefused) : null
    const draft = files && readable(ownerId, files.all)
    if (!state?.live || !draft) return null
    const before = state.live.files
    const difference = diffFiles(before, draft)
    if (isUnchanged(difference)) return null
    return {
      summary: `Replace version ${state.live.version} of the site ${slug} with version ${state.next}: ${describeDiff(difference)}.${whatGoes(before, draft)}`,
      reason: `The site is live at ${siteUrl(slug)}: visitors get the new version at once.`,
      deploymentId: `${slug}@${state.next}`,
      needs: [{ kind: 'sites', name: slug }],
      async effect() {
        const changes = await siteChanges(before, draft)
        // What is approved makes this version public.
        const after = await publishSite(ownerId, { slug, files: files.all, isPreview: true })
        return { kind: 'files', ...changes, pages: { before: siteUrl(slug), after: after.url } }
      },
    }
  },
  async run({ slug, preview, ...given }, context) {
    const { ownerId, approved = false } = context
    const { all: files } = await filesGiven({ slug, ...given }, context)
    return publishSite(ownerId, { slug, files, mayReplace: approved, isPreview: preview })
  },
})
