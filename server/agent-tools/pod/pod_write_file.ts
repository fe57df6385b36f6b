import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { podPathParam } from './path'
import { withPodMutex } from './pod-mutex'
import { requirePodTask } from './pod-pool'
import { loadPod, podOwner, savePod } from './store'

const MAX_CHARS = 2 * 1024 * 1024

export const podWriteFile = defineTool({
  id: 'pod_write_file',
  label: 'Write a file',
  capability: 'pod',
  leadsTo: ['pod_run'],
  description:
    'Writes a file in the sandboxed shell of this conversation, and creates its folders. Replacing the content of a file ' +
    "from before this run needs a person's approval; appending does not.",
  params: z.strictObject({
    path: podPathParam.describe('Where: absolute, or relative to the current folder'),
    content: z.string().max(MAX_CHARS).describe('The content of the file'),
    encoding: z.enum(['text', 'base64']).default('text').describe('Encoding of content'),
    append: z.boolean().default(false).describe('Add to the end of the file instead of replacing it'),
  }),
  output: z.object({ path: z.string(), bytes: z.int(), created: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // It has no network, and begins empty in each conversation: it holds only what runs put there.
  flow: STAYS_INSIDE,
  available: () => true,
  async asks(file, caller) {
    const plan = await requirePodTask({ kind: 'plan', file }, await loadPod(podOwner(caller)), caller)
    return (
      plan && {
        summary: `Replace the content of ${plan.path}.`,
        reason: `Its ${plan.oldBytes} bytes are lost; the new content has ${plan.newBytes}.`,
        command: `write ${plan.newBytes} bytes over ${plan.path}`,
      }
    )
  },
  async run(file, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return withPodMutex(owner.jobId, async () => {
      const pod = await loadPod(owner)
      const done = await requirePodTask({ kind: 'write', file, approved }, pod, context)
      if (done.kind === 'needs_approval') throw needsApproval(`Replacing the content of ${done.path}`)
      const { packed, path, bytes, created } = done
      await savePod(owner, pod, { packed, cwd: pod.cwd })
      return { path, bytes, created }
    })
  },
})
