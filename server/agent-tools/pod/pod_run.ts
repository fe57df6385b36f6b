import { z } from 'zod'
import { AppError, needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { type AgentCaller, STAYS_INSIDE } from '../../tools/flow'
import { withPodMutex } from './pod-mutex'
import { runPodCommand, runPodTask } from './pod-pool'
import { loadPod, podOwner, savePod } from './store'
import { hasSystemPython } from './system-python'

/** Seconds that a command may wait for the pod, in addition to its time limit. */
const WAIT_S = 30

/** Sentences about what a command may destroy. One that cannot be analyzed may do anything. */
async function destructiveActionsOf(command: string, caller: AgentCaller): Promise<string[]> {
  const outcome = await runPodTask({ kind: 'analyze', command }, await loadPod(podOwner(caller)), caller)
  return outcome.kind === 'done' ? outcome.value : ['it is unclear what such a large script does']
}

export const podRun = defineTool({
  id: 'pod_run',
  label: 'Run a command',
  capability: 'pod',
  isFirst: 'listed',
  leadsTo: ['pod_write_file', 'pod_read_file'],
  get description() {
    const python = hasSystemPython()
      ? 'python3 with pandas, numpy and matplotlib (no pip; save figures as PNG or SVG)'
      : 'python3 with its standard library (no pip, pandas or matplotlib; write figures as SVG)'
    return (
      'Runs a bash command in a sandboxed shell of this conversation, with the usual tools for text, JSON (jq), YAML (yq), ' +
      `CSV (xan), tar and gzip, and ${python}. There is no network and no other program: no git, no Node. Files that people ` +
      'attached are in ~/uploads. Files and the current folder are kept from command to command; variables and functions are ' +
      'not. People get the files that your result names, such as ~/chart.svg. A command that removes or overwrites files from ' +
      "before this run, or cannot be analyzed while there are such files, needs a person's approval."
    )
  },
  params: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(50_000)
      .regex(/\S/, 'must not be blank')
      .regex(/^[^\0]*$/, 'must not contain NUL')
      .describe('The command, or a script of several lines; more than 20,000 characters cannot be analyzed'),
    timeoutS: z
      .int()
      .min(1)
      .max(120)
      .default(30)
      .describe('Seconds after which it is stopped without changing anything'),
  }),
  output: z.object({
    exitCode: z.int(),
    stdout: z.string(),
    stderr: z.string(),
    cwd: z.string().describe('The current folder afterwards'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // It has no network, and begins empty in each conversation: it holds only what runs put there.
  flow: STAYS_INSIDE,
  timeoutMs: ({ timeoutS }) => (timeoutS + WAIT_S) * 1_000,
  available: () => true,
  async asks({ command }, caller) {
    const actions = await destructiveActionsOf(command, caller)
    if (actions.length === 0) return null
    const list = actions.slice(0, 5).join('; ')
    return {
      summary: 'Run a command in the sandboxed shell that may destroy some of its files.',
      reason: `Found in the command: ${list}${actions.length > 5 ? `; and ${actions.length - 5} more` : ''}.`,
      command,
    }
  },
  async run({ command, timeoutS }, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return withPodMutex(owner.jobId, async () => {
      context.signal.throwIfAborted()
      const before = await loadPod(owner)
      const done = await runPodCommand({ command, approved, timeoutMs: timeoutS * 1_000 }, before, context)
      if (done.kind === 'needs_approval') throw needsApproval('The command')
      if (done.kind === 'would_lose') throw wouldLose(done.paths)
      const { exitCode, stdout, stderr, cwd, packed } = done
      if (packed) await savePod(owner, before, { packed, cwd })
      return { exitCode, stdout, stderr, cwd }
    })
  },
})

const wouldLose = ([first = '', ...more]: string[]) =>
  new AppError(
    'invalid_request',
    `The command would have removed or overwritten ${first}${more.length > 0 ? ` and ${more.length} more` : ''}, which its ` +
      'text does not show. Nothing was changed. Write plainly what is removed or overwritten, so that a person can approve it.',
  )
