import { z } from 'zod'
import { AppError } from '../../../errors'
import { defineTool } from '../../../tools/define'
import { READS_NOTHING } from '../../../tools/exposure'
import { HOME } from './driver'
import { followLinks, pathParam, podPath } from './path'
import { bytesIn, loadPod, podOwner } from './state'

/** Files that one call lists. */
const MOST = 1_000

export const podListFiles = defineTool({
  id: 'pod_list_files',
  label: 'List files',
  capability: 'pod',
  description: 'Lists the files below a folder of the sandboxed shell of this conversation, at most 1000 of them.',
  params: z.strictObject({
    folder: pathParam.default('/').describe('The folder; / lists everything but the system'),
  }),
  output: z.object({
    cwd: z.string().describe('The folder the shell is in'),
    files: z.array(
      z.object({ path: z.string(), bytes: z.int(), link: z.string().optional().describe('Where a link leads') }),
    ),
    total: z.int().describe('Files below the folder, listed or not'),
    bytes: z.int().describe('Bytes of all files of the shell'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // It has no network, and begins empty in each conversation: it holds only what the run put there.
  exposure: READS_NOTHING,
  available: () => true,
  async run({ folder }, context) {
    const { files, cwd } = await loadPod(podOwner(context))
    const at = followLinks(files, podPath(cwd, folder))
    const isThere = at === '/' || at === HOME || at === '/tmp' || files.get(at)?.kind === 'folder'
    if (!isThere) throw new AppError('not_found', `There is no folder ${at}.`)
    const below = at === '/' ? '/' : `${at}/`
    const found = [...files].flatMap(([path, entry]) => {
      if (entry.kind === 'folder' || !path.startsWith(below)) return []
      return entry.kind === 'file' ? [{ path, bytes: entry.bytes.byteLength }] : [{ path, bytes: 0, link: entry.to }]
    })
    return { cwd, files: found.slice(0, MOST), total: found.length, bytes: bytesIn(files) }
  },
})
