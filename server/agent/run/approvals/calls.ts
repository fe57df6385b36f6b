import type { AnyTool } from '../../../tools/define'
import type { AgentCaller } from '../../../tools/flow'
import { earlierResult } from '../earlier-results'
import { type AgentRun, lastModelStep } from '../state'
import { parseToolArguments } from '../tool-access'
import { hasRun, toolNamed } from './origins'

/** A call of a conversation, made or pending. */
export type RunCall = {
  index: number
  runId: string
  tool: AnyTool
  /** As the tool takes it. */
  input: unknown
  /** The model step that made it: what came later cannot be in the call. */
  upTo: number
}

/** The run as tools know it. */
export const callerOf = (run: AgentRun): AgentCaller => ({
  ownerId: run.ownerId,
  jobId: run.jobId,
  run: {
    id: run.runId,
    conversation: run.turns.map((turn) => turn.runId),
    uploads: run.turns.flatMap(({ attachments, startedAt: at }) =>
      attachments.map(({ fileId, name, bytes }) => ({ fileId, name, bytes, at })),
    ),
  },
  earlierOutput: (step) => earlierResult(run, step, 'fromStep').output,
})

/** Every call that has run, and those of the latest model step that may run next, in order. */
export function callsOf(run: AgentRun): RunCall[] {
  const calls: RunCall[] = []
  const add = (call: Omit<RunCall, 'tool'> & { name: string }) => {
    const { name, input, ...rest } = call
    const tool = toolNamed(name)
    const parsed = tool?.params.safeParse(input)
    if (tool && parsed?.success) calls.push({ ...rest, tool, input: parsed.data })
  }
  let upTo = -1
  for (const { kind, index, ...step } of run.steps) {
    if (kind === 'model') upTo = index
    if (kind === 'tool' && hasRun(step)) add({ ...step, index, upTo })
  }
  const last = lastModelStep(run)
  const known = new Set(run.steps.map(({ index }) => index))
  for (const [i, { name, arguments: given }] of (last?.output.calls ?? []).entries()) {
    const index = (last?.step.index ?? 0) + 1 + i
    if (last && !known.has(index))
      add({ name, index, upTo: last.step.index, runId: run.runId, input: parseToolArguments(given) })
  }
  return calls
}
