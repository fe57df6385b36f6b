import { getAgentSettings } from '../../../accounts/agent-settings'
import type { OutsideApproval } from '../../../accounts/shape'
import type { AnyTool, Approval } from '../../../tools/define'
import { type AgentRun, lastModelStep, type RunStep } from '../state'
import { type Taint, taintOf } from './taint'
import { isVerbatim, userTextsOf } from './user-texts'

/**
 * Whether a run with this taint asks a person before it sends something out, by its owner's
 * setting.
 */
const NEEDS_APPROVAL: Record<OutsideApproval, (taint: Taint) => boolean> = {
  ask: ({ foreign, private: own }) => foreign.length > 0 && own.length > 0,
  always: ({ foreign }) => foreign.length > 0,
  never: () => false,
}

const MAX_SOURCES = 8
const MAX_SOURCE_CHARS = 120

/**
 * The source of what a step read: its tool and its input, without numbers and switches, which are
 * mostly defaults.
 */
function sourceOf({ name, input }: RunStep): string {
  const values = Object.values((input as Record<string, unknown> | null) ?? {})
  const line = values
    .filter((value) => typeof value !== 'number' && typeof value !== 'boolean')
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .replaceAll(/\s+/g, ' ')
  const text = line.length > MAX_SOURCE_CHARS ? `${line.slice(0, MAX_SOURCE_CHARS).toWellFormed()}…` : line
  return text === '' ? name : `${name} (${text})`
}

function listSources(steps: readonly RunStep[]): string {
  const sources = [...new Set(steps.map(sourceOf))]
  const rest = sources.length - MAX_SOURCES
  return sources.slice(0, MAX_SOURCES).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

const reasonOf = ({ foreign, private: own }: Taint): string =>
  [
    'Text by strangers can make an agent give away what it knows, and this is not verbatim from your goal.',
    `Text by strangers it has read: ${listSources(foreign)}.`,
    own.length > 0 ? `Private data it has read: ${listSources(own)}.` : 'It has read no private data.',
  ].join(' ')

/**
 * What a person must approve before a call may send something out; null: nothing. It depends on the
 * owner's setting and on the steps up to the model step that made the call: what came later cannot
 * be in the call.
 */
export async function outgoingApproval(run: AgentRun, tool: AnyTool, input: unknown): Promise<Approval | null> {
  const outgoing = tool.exposure.sends?.(input as never)
  if (!outgoing) return null
  const taint = taintOf(run.steps, lastModelStep(run)?.step.index)
  if (taint.foreign.length === 0 || isVerbatim(outgoing, userTextsOf(run))) return null
  const { outsideApproval } = await getAgentSettings(run.ownerId)
  if (!NEEDS_APPROVAL[outsideApproval](taint)) return null
  return { summary: outgoing.summary, command: outgoing.whole, reason: reasonOf(taint) }
}

/** One approval for a call that destroys something, sends something out, or both. */
export function mergeApprovals(destructive: Approval | null, outgoing: Approval | null): Approval | null {
  if (!destructive || !outgoing) return destructive ?? outgoing
  return {
    ...outgoing,
    ...destructive,
    summary: `${destructive.summary} ${outgoing.summary}`,
    reason: `${destructive.reason} ${outgoing.reason}`,
  }
}
