import { z } from 'zod'
import { needsApproval } from '../../../errors'
import { defineTool } from '../../../tools/define'
import { READS_NOTHING } from '../../../tools/exposure'
import { bytesIn, dropPod, loadPod, podOwner } from './state'
import { inTurn } from './turns'

export const podDestroy = defineTool({
  id: 'pod_destroy',
  label: 'Destroy the shell',
  capability: 'pod',
  description:
    'Removes the sandboxed shell of this conversation with all of its files; the next command begins with an empty one. ' +
    'It is put to a person first.',
  params: z.strictObject({}),
  output: z.object({ destroyed: z.boolean().describe('false: there was none') }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  exposure: READS_NOTHING,
  available: () => true,
  async asks(_input, caller) {
    const { files, savedAt } = await loadPod(podOwner(caller))
    if (!savedAt) return null
    const count = [...files.values()].filter(({ kind }) => kind !== 'folder').length
    return {
      summary: 'Destroy the sandboxed shell of this conversation.',
      reason: `Its files cannot be brought back: ${count === 1 ? '1 file' : `${count} files`} with ${bytesIn(files)} bytes.`,
      command: `destroy the pod and its ${count === 1 ? '1 file' : `${count} files`}`,
    }
  },
  async run(_input, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return inTurn(owner.jobId, async () => {
      if (approved) return { destroyed: await dropPod(owner) }
      if ((await loadPod(owner)).savedAt) throw needsApproval('Destroying the shell')
      return { destroyed: false }
    })
  },
})
