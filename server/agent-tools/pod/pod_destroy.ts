import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { withPodMutex } from './pod-mutex'
import { requirePodTask } from './pod-pool'
import { deletePod, loadPod, podOwner } from './store'

export const podDestroy = defineTool({
  id: 'pod_destroy',
  label: 'Destroy the shell',
  capability: 'pod',
  description:
    'Deletes the sandboxed shell of this conversation with all of its files; the next command begins with an empty one. ' +
    "This needs a person's approval unless this run made all of them.",
  params: z.strictObject({}),
  output: z.object({ destroyed: z.boolean().describe('false: there was no shell') }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  flow: STAYS_INSIDE,
  available: () => true,
  async asks(_input, caller) {
    const pod = await loadPod(podOwner(caller))
    if (!pod.savedAt) return null
    const { files, bytes } = await requirePodTask({ kind: 'count' }, pod, caller)
    if (files === 0) return null
    const count = files === 1 ? '1 file' : `${files} files`
    return {
      summary: 'Destroy the sandboxed shell of this conversation.',
      reason: `Files from before this run cannot be restored: ${count} with ${bytes} bytes.`,
      command: `destroy the pod and its ${count}`,
    }
  },
  async run(_input, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return withPodMutex(owner.jobId, async () => {
      const pod = await loadPod(owner)
      if (!pod.savedAt) return { destroyed: false }
      const { files } = approved ? { files: 0 } : await requirePodTask({ kind: 'count' }, pod, context)
      if (files > 0) throw needsApproval('Destroying the shell')
      return { destroyed: await deletePod(owner) }
    })
  },
})
