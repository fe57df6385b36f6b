import { z } from 'zod'
import { siteUrl } from '../../env/site-hosting'
import { AppError, invalidRequest } from '../../errors'
import { siteChanges } from '../../sites/changes'
import { describeDiff, diffFiles, isUnchanged } from '../../sites/diff'
import { makeDraft } from '../../sites/draft'
import { canPublishSites, findSite } from '../../sites/find'
import { publishSite } from '../../sites/publish'
import { MAX_SITE_FILES, type SiteFile, type SiteFileInput, Slug } from '../../sites/shape'
import { defineTool } from '../../tools/define'
import { truncateForDisplay } from '../../tools/flow'
import type { ParseOptions } from '../../tools/parse'
import { podPathParam } from '../pod/path'
import { requirePodTask } from '../pod/pod-pool'
import { loadPod, podOwner } from '../pod/store'

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

type Given = { files?: SiteFileInput[] | undefined; folder?: string | undefined; exclude?: string[] | undefined }

/** The files of a call: its own, or those of a folder of the shell. Throws `invalid_request`. */
async function filesGiven(
  { files, folder, exclude = [] }: Given,
  caller: Parameters<typeof podOwner>[0] & ParseOptions,
): Promise<SiteFileInput[]> {
  if ((files === undefined) === (folder === undefined))
    throw invalidRequest([{ path: ['files'], message: 'Give either files or folder' }])
  if (folder === undefined) return files ?? []
  const found = await requirePodTask({ kind: 'collect', folder }, await loadPod(podOwner(caller)), caller)
  return found.filter(({ path }) => !exclude.includes(path))
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
    'Publishes a static site (HTML, CSS, scripts, images) at a public URL. Give all files each time: they become the ' +
    'next version, without those left out. Use relative links between pages; 404.html is shown for missing pages. Pages ' +
    "run without cookies and storage. Replacing a live site needs a person's approval.",
  params: z.strictObject({
    slug: Slug.describe('Name in the URL, /sites/<slug>/: 3 to 63 lower-case letters, digits and hyphens'),
    files: z.array(File).min(1).max(MAX_SITE_FILES).optional().describe('Every file of the site, including index.html'),
    folder: podPathParam.optional().describe('Instead of files: a folder of the shell (pod_run) that has them'),
    exclude: z.array(z.string().max(300)).max(MAX_SITE_FILES).optional().describe('Paths in the folder to leave out'),
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
      outgoing: async ({ slug, ...given }, caller) => {
        const files = await filesGiven(given, caller).catch(nullWhereRefused)
        if (!files) return null
        return {
          to: slug,
          summary: `Publish ${files.length === 1 ? 'one file' : `${files.length} files`} at ${siteUrl(slug)}, where everyone can read them: ${truncateForDisplay(contentsOf(files))}`,
          whole: contentsOf(files),
          texts: [slug, ...files.map(textOf)],
        }
      },
    },
  },
  artifacts: ({ url }, { slug }) => [{ kind: 'site', id: slug, name: slug, url }],
  available: canPublishSites,
  async asks({ slug, ...given }, caller) {
    const { ownerId } = caller
    const state = await findSite(ownerId, slug)
    const files = state?.live ? await filesGiven(given, caller).catch(nullWhereRefused) : null
    const draft = files && readable(ownerId, files)
    if (!state?.live || !draft) return null
    const before = state.live.files
    const difference = diffFiles(before, draft)
    if (isUnchanged(difference)) return null
    return {
      summary: `Replace version ${state.live.version} of the site ${slug} with version ${state.next}: ${describeDiff(difference)}.${whatGoes(before, draft)}`,
      reason: `The site is live at ${siteUrl(slug)}: visitors get the new version at once.`,
      deploymentId: `${slug}@${state.next}`,
      needs: [{ kind: 'sites', name: slug }],
      effect: async () => ({ kind: 'files', ...(await siteChanges(before, draft)) }),
    }
  },
  async run({ slug, ...given }, context) {
    const { ownerId, approved = false } = context
    return publishSite(ownerId, { slug, files: await filesGiven(given, context), mayReplace: approved })
  },
})
