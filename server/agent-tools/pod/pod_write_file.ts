import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { FILE_TO_WRITE, givenContent } from './given-content'
import { withPodMutex } from './pod-mutex'
import { requirePodTask } from './pod-pool'
import { loadPod, podOwner, savePod } from './store'

export const podWriteFile = defineTool({
  id: 'pod_write_file',
  label: 'Write a file',
  capability: 'pod',
  leadsTo: ['pod_run'],
  description:
    'Writes a file in the sandboxed shell of this conversation, and creates its folders: a given content, or with fromStep ' +
    'what a tool returned or made. Replacing the content of a file ' +
    "from before this run needs a person's approval; appending does not.",
  params: z.strictObject(FILE_TO_WRITE),
  output: z.object({ path: z.string(), bytes: z.int(), created: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // It has no network, and begins empty in each conversation: it holds only what runs put there.
  flow: STAYS_INSIDE,
  available: () => true,
  async asks(input, caller) {
    const file = await givenContent(input, caller)
    const plan = await requirePodTask({ kind: 'plan', file }, await loadPod(podOwner(caller)), caller)
    return (
      plan && {
        summary: `Replace the content of ${plan.path}.`,
        reason: `Its ${plan.oldBytes} bytes are lost; the new content has ${plan.newBytes}.`,
        command: `write ${plan.newBytes} bytes over ${plan.path}`,
      }
    )
  },
  async run(input, context) {
    const owner = podOwner(context)
    const file = await givenContent(input, context)
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
