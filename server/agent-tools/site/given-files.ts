import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { AppError, invalidParameter } from '../../errors'
import { fileStore } from '../../files/store'
import { isTextType } from '../../sites/content-type'
import { findSite } from '../../sites/find'
import { parseSitePath } from '../../sites/path'
import { MAX_SITE_FILES, type SiteFile, type SiteFileInput } from '../../sites/shape'
import type { ParseOptions } from '../../tools/parse'
import { podPathParam } from '../pod/path'
import { requirePodTask } from '../pod/pod-pool'
import { loadPod, podOwner } from '../pod/store'

const sitePath = z.string().min(1).max(300)

const File = z.strictObject({
  path: sitePath.describe('Path in the site, such as index.html or css/style.css; a folder shows its index.html'),
  content: z.string().optional().describe('The file as text'),
  base64: z.string().optional().describe('The file as base64, instead of content'),
})

const Edit = z.strictObject({
  path: sitePath,
  find: z.string().min(1).max(200_000).describe('Text that the file has exactly once'),
  replace: z.string().max(200_000),
})

/** The parameters that say which files a publication has. */
export const SITE_FILES = {
  files: z.array(File).min(1).max(MAX_SITE_FILES).optional().describe('Files of the site'),
  folder: podPathParam.optional().describe('Instead of files: a folder of the shell (pod_run) that has them'),
  exclude: z.array(z.string().max(300)).max(MAX_SITE_FILES).optional().describe('Paths in the folder to leave out'),
  keep: z
    .boolean()
    .default(false)
    .describe('Change the live version: what it has and this call does not name stays as it is'),
  edits: z.array(Edit).min(1).max(100).optional().describe('With keep: changes in text files of the live version'),
  remove: z.array(sitePath).min(1).max(MAX_SITE_FILES).optional().describe('With keep: files to remove'),
}

type Given = z.output<z.ZodObject<typeof SITE_FILES>> & { slug: string }

/** The files of a publication. `named`: those that the call gives or edits. */
export type GivenFiles = { all: SiteFileInput[]; named: SiteFileInput[] }

/**
 * The files that a call means: its own, those of a folder of the shell, or with `keep` the live
 * version's with the changes. Throws `invalid_request`.
 */
export async function filesGiven(
  given: Given,
  caller: Parameters<typeof podOwner>[0] & ParseOptions,
): Promise<GivenFiles> {
  const { files, folder, exclude = [], keep, edits = [], remove = [] } = given
  if (!keep && edits.length + remove.length > 0)
    throw invalidParameter('keep', 'edits and remove change the live version: set keep')
  if (files !== undefined && folder !== undefined) throw invalidParameter('files', 'Give either files or folder')
  const isChange = edits.length + remove.length > 0
  if (files === undefined && folder === undefined && !isChange) throw invalidParameter('files', 'Give files or folder')
  const found = folder === undefined ? (files ?? []) : await filesIn(folder, caller)
  const own = found.filter(({ path }) => folder === undefined || !exclude.includes(path))
  return keep ? changed(given, own, caller.ownerId) : { all: own, named: own }
}

const filesIn = async (folder: string, caller: Parameters<typeof podOwner>[0] & ParseOptions) =>
  requirePodTask({ kind: 'collect', folder }, await loadPod(podOwner(caller)), caller)

/** The live version with some files replaced or added, some edited and some removed. */
async function changed(
  { slug, edits = [], remove = [] }: Given,
  own: SiteFileInput[],
  ownerId: number,
): Promise<GivenFiles> {
  const live = (await findSite(ownerId, slug))?.live
  if (!live) throw invalidParameter('keep', `${slug} has no live version to change: give all files without keep`)
  const files = new Map(live.files.map((file) => [file.path, file]))
  const find = (parameter: string, given: string): SiteFile => {
    const file = files.get(parseSitePath(given))
    if (file) return file
    throw invalidParameter(
      parameter,
      `version ${live.version} has no file ${given}. It has: ${[...files.keys()].slice(0, 30).join(', ')}`,
    )
  }
  const named = new Map(own.map((file) => [parseSitePath(file.path), file]))
  const edited = new Map<string, string>()
  for (const { path: given, find: text, replace } of edits) {
    const file = find('edits', given)
    if (named.has(file.path)) throw invalidParameter('edits', `${file.path} is in the files too: give it once`)
    if (!isTextType(file.contentType))
      throw invalidParameter('edits', `${file.path} is ${file.contentType}: only text can be edited`)
    const before = edited.get(file.path) ?? (await bytesOf(file)).toString('utf8')
    const times = timesIn(before, text)
    // A call that is repeated after its worker died finds its change made.
    if (times === 0 && replace !== '' && timesIn(before, replace) === 1) continue
    if (times !== 1)
      throw invalidParameter(
        'edits',
        `${file.path} has ${JSON.stringify(text.slice(0, 80))} ${times} times: it must be once`,
      )
    edited.set(
      file.path,
      before.replace(text, () => replace),
    )
  }
  for (const [path, content] of edited) named.set(path, { path, content })
  const gone = new Set(remove.map((given) => find('remove', given).path))
  const twice = [...gone].find((path) => named.has(path))
  if (twice !== undefined) throw invalidParameter('remove', `${twice} is given or edited too: do one of them`)
  const kept = live.files.filter(({ path }) => !named.has(path) && !gone.has(path))
  const all = [...named.values()]
  for (const file of kept) all.push({ path: file.path, base64: (await bytesOf(file)).toString('base64') })
  return { all, named: [...named.values()] }
}

const timesIn = (text: string, part: string): number => text.split(part).length - 1

async function bytesOf(file: SiteFile): Promise<Buffer> {
  const stored = await fileStore().get(file.fileId)
  if (!stored)
    throw new AppError('invalid_request', `The content of ${file.path} is no longer stored. Publish all files.`)
  return buffer(stored)
}
