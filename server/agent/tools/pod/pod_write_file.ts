import path from 'node:path'
import { z } from 'zod'
import { AppError, isAppError, needsApproval } from '../../../errors'
import { defineTool } from '../../../tools/define'
import { READS_NOTHING } from '../../../tools/exposure'
import type { PodEntry } from './driver'
import { checkWritable, followLinks, pathParam, podPath } from './path'
import { loadPod, type Pod, podOwner, savePod } from './state'
import { inTurn } from './turns'

const MOST_CHARACTERS = 2 * 1024 * 1024

type Given = { path: string; content: string; encoding: 'text' | 'base64'; append: boolean }

/** Where a file is to stand, with what, and what stands there now. Throws `invalid_request`. */
function planOf(pod: Pod, { path: given, content, encoding, append }: Given) {
  const at = followLinks(pod.files, podPath(pod.cwd, given))
  checkWritable(pod.files, at)
  const bare = content.replace(/\s+/g, '')
  if (encoding === 'base64' && (!/^[A-Za-z0-9+/]*={0,2}$/.test(bare) || bare.length % 4 !== 0)) {
    throw new AppError('invalid_request', 'The content is not valid base64.')
  }
  const bytes = encoding === 'base64' ? Buffer.from(bare, 'base64') : Buffer.from(content, 'utf8')
  const found = pod.files.get(at)
  const old = found?.kind === 'file' ? found : null
  return { at, old, bytes: append && old ? Buffer.concat([old.bytes, bytes]) : bytes }
}

/** Whether writing would put an end to what a file holds. */
const replaces = ({ append }: Given, { old, bytes }: { old: { bytes: Uint8Array } | null; bytes: Uint8Array }) =>
  !append && old !== null && old.bytes.byteLength > 0 && Buffer.compare(old.bytes, bytes) !== 0

export const podWriteFile = defineTool({
  id: 'pod_write_file',
  label: 'Write a file',
  capability: 'pod',
  description:
    'Writes a file in the sandboxed shell of this conversation, and the folders it lies in. Replacing what a file holds ' +
    'is put to a person first; appending is not.',
  params: z.strictObject({
    path: pathParam.describe('Where: absolute, or from the folder the shell is in'),
    content: z.string().max(MOST_CHARACTERS).describe('What the file holds'),
    encoding: z.enum(['text', 'base64']).default('text').describe('How content is written here'),
    append: z.boolean().default(false).describe('Add to the end of the file in place of replacing it'),
  }),
  output: z.object({ path: z.string(), bytes: z.int(), created: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // It has no network, and begins empty in each conversation: it holds only what the run put there.
  exposure: READS_NOTHING,
  available: () => true,
  async asks(input, caller) {
    const pod = await loadPod(podOwner(caller))
    try {
      const { at, old, bytes } = planOf(pod, input)
      if (!old || !replaces(input, { old, bytes })) return null
      return {
        summary: `Replace what ${at} holds.`,
        reason: `Its ${old.bytes.byteLength} bytes are lost; the new content has ${bytes.byteLength}.`,
        command: `write ${bytes.byteLength} bytes over ${at}`,
      }
    } catch (error) {
      // What cannot be written is refused when it is tried.
      if (isAppError(error)) return null
      throw error
    }
  },
  async run(input, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return inTurn(owner.jobId, async () => {
      const pod = await loadPod(owner)
      const { at, old, bytes } = planOf(pod, input)
      if (!approved && replaces(input, { old, bytes })) throw needsApproval(`Replacing what ${at} holds`)
      const files = new Map(pod.files)
      for (let folder = path.posix.dirname(at); folder !== '/'; folder = path.posix.dirname(folder)) {
        if (!files.has(folder)) files.set(folder, { kind: 'folder', mode: 0o755 })
      }
      const entry: PodEntry = { kind: 'file', bytes, mode: old?.mode ?? 0o644, mtimeMs: Date.now() }
      await savePod(owner, pod, { files: files.set(at, entry), cwd: pod.cwd })
      return { path: at, bytes: bytes.byteLength, created: old === null }
    })
  },
})
