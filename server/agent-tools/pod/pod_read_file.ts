import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { podPathParam } from './path'
import { requirePodTask } from './pod-pool'
import { loadPod, podOwner } from './store'

export const podReadFile = defineTool({
  id: 'pod_read_file',
  label: 'Read a file',
  capability: 'pod',
  description:
    'Reads a file of the sandboxed shell of this conversation, as text or, for binary files, as base64. Long files come ' +
    'in parts: call again with nextOffset.',
  params: z.strictObject({
    path: podPathParam.describe('Which file: absolute, or relative to the current folder'),
    offset: z.int().min(0).max(2_147_483_647).default(0).describe('The byte to start at'),
  }),
  output: z.object({
    path: z.string(),
    bytes: z.int().describe('Size of the whole file'),
    encoding: z.enum(['text', 'base64']),
    content: z.string(),
    nextOffset: z.int().nullable().describe('Where the next part starts; null: this is the last one'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // It has no network, and begins empty in each conversation: it holds only what runs put there.
  flow: STAYS_INSIDE,
  available: () => true,
  run: async ({ path, offset }, context) =>
    requirePodTask({ kind: 'read', path, offset }, await loadPod(podOwner(context)), context),
})
