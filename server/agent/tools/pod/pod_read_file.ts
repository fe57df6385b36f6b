import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { defineTool } from '../../../tools/define'
import { READS_NOTHING } from '../../../tools/exposure'
import { fileAt, pathParam, podPath } from './path'
import { loadPod, podOwner } from './state'

/** Bytes that one call gives. */
const MOST = 256 * 1024

type Part = { encoding: 'text' | 'base64'; content: string; end: number }

/** A stretch of a file: as text, which ends with a whole character, or as base64 where it is no text. */
function partOf(bytes: Uint8Array, offset: number): Part {
  const most = Math.min(offset + MOST, bytes.byteLength)
  // Only where the stretch is not the end of the file may a character go on behind it.
  const least = most < bytes.byteLength ? most - 3 : most
  for (let end = most; end >= least; end--) {
    const part = bytes.subarray(offset, end)
    if (isUtf8(part) && !part.includes(0)) return { encoding: 'text', content: Buffer.from(part).toString('utf8'), end }
  }
  return { encoding: 'base64', content: Buffer.from(bytes.subarray(offset, most)).toString('base64'), end: most }
}

export const podReadFile = defineTool({
  id: 'pod_read_file',
  label: 'Read a file',
  capability: 'pod',
  description:
    'Reads a file of the sandboxed shell of this conversation: as text, or as base64 where it is none. Long files come in ' +
    'parts: ask again from nextOffset.',
  params: z.strictObject({
    path: pathParam.describe('Which file: absolute, or from the folder the shell is in'),
    offset: z.int().min(0).max(2_147_483_647).default(0).describe('The byte to begin at'),
  }),
  output: z.object({
    path: z.string(),
    bytes: z.int().describe('Size of the whole file'),
    encoding: z.enum(['text', 'base64']),
    content: z.string(),
    nextOffset: z.int().nullable().describe('Where the next part begins; null: this is the last one'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // It has no network, and begins empty in each conversation: it holds only what the run put there.
  exposure: READS_NOTHING,
  available: () => true,
  async run({ path, offset }, context) {
    const pod = await loadPod(podOwner(context))
    const at = podPath(pod.cwd, path)
    const { bytes } = fileAt(pod.files, at)
    const { encoding, content, end } = partOf(bytes, offset)
    const nextOffset = end < bytes.byteLength ? end : null
    return { path: at, bytes: bytes.byteLength, encoding, content, nextOffset }
  },
})
