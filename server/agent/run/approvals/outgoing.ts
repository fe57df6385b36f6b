import { getAgentSettings } from '../../../accounts/agent-settings'
import type { OutsideApproval } from '../../../accounts/shape'
import type { AnyTool, Approval } from '../../../tools/define'
import { type AgentRun, lastModelStep, type RunStep } from '../state'
import { type Taint, taintOf } from './taint'
import { isVerbatim, userTextsOf } from './user-texts'

/** Whether a run that has read this asks a person before it sends something out, by what its owner chose. */
const ASKS: Record<OutsideApproval, (marks: Taint) => boolean> = {
  ask: ({ foreign, private: own }) => foreign.length > 0 && own.length > 0,
  always: ({ foreign }) => foreign.length > 0,
  never: () => false,
}

const MAX_SOURCES = 8
const MAX_SOURCE = 120

/** A step as the source of what it read: its tool, and what it was asked. */
function sourceOf({ name, input }: RunStep): string {
  const values = Object.values((input as Record<string, unknown> | null) ?? {})
  const asked = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
  const line = asked.replaceAll(/\s+/g, ' ')
  const text = line.length > MAX_SOURCE ? `${line.slice(0, MAX_SOURCE).toWellFormed()}…` : line
  return text === '' ? name : `${name} (${text})`
}

const listed = (steps: readonly RunStep[]): string => {
  const all = [...new Set(steps.map(sourceOf))]
  const rest = all.length - MAX_SOURCES
  return all.slice(0, MAX_SOURCES).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

const reasonOf = ({ foreign, private: own }: Taint): string =>
  [
    'Text that strangers wrote can tell an agent to give away what it knows, and this is not verbatim from your goal.',
    `Text of strangers it has read: ${listed(foreign)}.`,
    own.length > 0 ? `Private data it has read: ${listed(own)}.` : 'It has read no private data.',
  ].join(' ')

/**
 * What a person must approve before a call may send something out; null: nothing. Decided by the steps up to the model
 * step that made the call, because what came later cannot be in it; by the owner's choice; and by nothing else.
 */
export async function outgoingApproval(run: AgentRun, tool: AnyTool, input: unknown): Promise<Approval | null> {
  const outgoing = tool.exposure.sends?.(input as never)
  if (!outgoing) return null
  const marks = taintOf(run.steps, lastModelStep(run)?.step.index)
  if (marks.foreign.length === 0 || isVerbatim(outgoing, userTextsOf(run))) return null
  const { outsideApproval: choice } = await getAgentSettings(run.ownerId)
  return ASKS[choice](marks) ? { summary: outgoing.summary, command: outgoing.whole, reason: reasonOf(marks) } : null
}

/** What a person is asked about one call: that it destroys something, that it sends something out, or both at once. */
export function mergeApprovals(destroys: Approval | null, sends: Approval | null): Approval | null {
  if (!destroys || !sends) return destroys ?? sends
  return {
    ...sends,
    ...destroys,
    summary: `${destroys.summary} ${sends.summary}`,
    reason: `${destroys.reason} ${sends.reason}`,
  }
}
