import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { podPathParam } from './path'
import { requirePodTask } from './pod-pool'
import { loadPod, podOwner } from './store'

export const podListFiles = defineTool({
  id: 'pod_list_files',
  label: 'List files',
  capability: 'pod',
  leadsTo: ['pod_read_file', 'pod_run'],
  description:
    'Lists the files in a folder of the sandboxed shell of this conversation and its subfolders, at most 1,000.',
  params: z.strictObject({
    folder: podPathParam.default('/').describe('The folder; / lists everything except system files'),
  }),
  output: z.object({
    cwd: z.string().describe('The current folder'),
    files: z.array(
      z.object({ path: z.string(), bytes: z.int(), link: z.string().optional().describe('Target of a link') }),
    ),
    total: z.int().describe('Files in the folder, listed or not'),
    bytes: z.int().describe('Bytes of all files in the shell'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // It has no network, and begins empty in each conversation: it holds only what runs put there.
  flow: STAYS_INSIDE,
  available: () => true,
  run: async ({ folder }, context) =>
    requirePodTask({ kind: 'list', folder }, await loadPod(podOwner(context)), context),
})
