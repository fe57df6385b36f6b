import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { READS_NOTHING } from '../../tools/exposure'
import { withPodMutex } from './pod-mutex'
import { requirePodTask } from './pod-pool'
import { deletePod, loadPod, podOwner } from './store'

export const podDestroy = defineTool({
  id: 'pod_destroy',
  label: 'Destroy the shell',
  capability: 'pod',
  description:
    'Deletes the sandboxed shell of this conversation with all of its files; the next command begins with an empty one. ' +
    "This needs a person's approval.",
  params: z.strictObject({}),
  output: z.object({ destroyed: z.boolean().describe('false: there was no shell') }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  exposure: READS_NOTHING,
  available: () => true,
  async asks(_input, caller) {
    const pod = await loadPod(podOwner(caller))
    if (!pod.savedAt) return null
    const { files, bytes } = await requirePodTask({ kind: 'count' }, pod, caller)
    const count = files === 1 ? '1 file' : `${files} files`
    return {
      summary: 'Destroy the sandboxed shell of this conversation.',
      reason: `Its files cannot be restored: ${count} with ${bytes} bytes.`,
      command: `destroy the pod and its ${count}`,
    }
  },
  async run(_input, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return withPodMutex(owner.jobId, async () => {
      if (approved) return { destroyed: await deletePod(owner) }
      if ((await loadPod(owner)).savedAt) throw needsApproval('Destroying the shell')
      return { destroyed: false }
    })
  },
})
