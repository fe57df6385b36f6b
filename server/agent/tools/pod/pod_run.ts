import { z } from 'zod'
import { AppError, needsApproval } from '../../../errors'
import { defineTool } from '../../../tools/define'
import { READS_NOTHING } from '../../../tools/exposure'
import { destructiveActs } from './destructive'
import type { PodFiles } from './driver'
import { justBash } from './just-bash'
import { lostPaths } from './lost'
import { loadPod, podOwner, savePod } from './state'
import { inTurn } from './turns'

/** Seconds a command may wait for its turn, beside its own time. */
const SPARE_S = 30

const isSame = (before: PodFiles, after: PodFiles): boolean =>
  before.size === after.size &&
  [...after].every(([path, entry]) => {
    const was = before.get(path)
    if (was?.kind === 'file' && entry.kind === 'file') {
      return was.mode === entry.mode && Buffer.compare(was.bytes, entry.bytes) === 0
    }
    return JSON.stringify(was) === JSON.stringify(entry)
  })

export const podRun = defineTool({
  id: 'pod_run',
  label: 'Run a command',
  capability: 'pod',
  description:
    'Runs a bash command in a sandboxed shell of this conversation, with the usual tools for text, JSON (jq), YAML (yq), ' +
    'CSV (xan), tar and gzip. There is no network and no other program: no git, no Python, no Node. Files and the folder ' +
    'it is in are kept from command to command; variables and functions are not. What removes or overwrites files, or ' +
    'cannot be read, is put to a person first.',
  params: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(50_000)
      .regex(/\S/, 'must not be blank')
      .regex(/^[^\0]*$/, 'must not contain NUL')
      .describe('The command, or a script of several lines; one of more than 20,000 characters is always asked about'),
    timeoutS: z.int().min(1).max(120).default(30).describe('Seconds after which it is stopped and changes nothing'),
  }),
  output: z.object({
    exitCode: z.int(),
    stdout: z.string(),
    stderr: z.string(),
    cwd: z.string().describe('The folder the shell is in afterwards'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // It has no network, and begins empty in each conversation: it holds only what the run put there.
  exposure: READS_NOTHING,
  timeoutMs: ({ timeoutS }) => (timeoutS + SPARE_S) * 1_000,
  available: () => true,
  async asks({ command }, caller) {
    const acts = await destructiveActs(command, await loadPod(podOwner(caller)))
    if (acts.length === 0) return null
    const told = acts.slice(0, 5).join('; ')
    return {
      summary: 'Run a command in the sandboxed shell that may destroy some of its files.',
      reason: `Found in the command: ${told}${acts.length > 5 ? `; and ${acts.length - 5} more` : ''}.`,
      command,
    }
  },
  async run({ command, timeoutS }, context) {
    const owner = podOwner(context)
    const { approved = false } = context
    return inTurn(owner.jobId, async () => {
      context.signal.throwIfAborted()
      const before = await loadPod(owner)
      if (!approved && (await destructiveActs(command, before)).length > 0) throw needsApproval('The command')
      const done = await justBash.exec(command, { ...before, timeoutMs: timeoutS * 1_000, signal: context.signal })
      // Nobody was asked, so nothing may be lost: whatever its text hid, it is as if it never ran.
      const lost = approved ? [] : lostPaths(before.files, done.files)
      if (lost.length > 0) throw wouldLose(lost)
      if (done.cwd !== before.cwd || !isSame(before.files, done.files)) await savePod(owner, before, done)
      const { exitCode, stdout, stderr, cwd } = done
      return { exitCode, stdout, stderr, cwd }
    })
  },
})

const wouldLose = ([first = '', ...more]: string[]) =>
  new AppError(
    'invalid_request',
    `The command would have removed or overwritten ${first}${more.length > 0 ? ` and ${more.length} more` : ''}, which its ` +
      'text does not show. Nothing of it was kept. Write plainly what is removed or overwritten: then a person is asked.',
  )
