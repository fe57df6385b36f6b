import { agentGroups } from '../../../agent-tools/registry'
import type { AnyTool } from '../../../tools/define'
import type { RunStep } from '../state'

/** The steps of a conversation that have read text of strangers, and private data; empty: nothing of this kind. */
export type Taint = { foreign: RunStep[]; private: RunStep[] }

/** Calls that never ran, so that nothing was read. */
const NEVER_RAN: ReadonlySet<string> = new Set(['rejected', 'forbidden', 'unknown_tool'])

/** Every tool by its id, also those that are not set up here any more: their steps stay. */
const toolsById = (): ReadonlyMap<string, AnyTool> =>
  new Map(agentGroups().flatMap(({ tools }) => tools.map((tool) => [tool.id, tool])))

/**
 * What a conversation had read by the step `upTo`, derived from its rows: the same for every worker, and nothing a model
 * says changes it. All turns count, also those that are no longer sent to the model. A failed call counts, because its
 * error may quote what it read; so does a step whose result is no longer kept, or in a form of long ago.
 */
export function taintOf(steps: readonly RunStep[], upTo = Number.POSITIVE_INFINITY): Taint {
  const tools = toolsById()
  const marks: Taint = { foreign: [], private: [] }
  const made = new Set<string>()
  for (const step of steps) {
    if (step.index > upTo || step.kind !== 'tool' || (step.error && NEVER_RAN.has(step.error.code))) continue
    const tool = tools.get(step.name)
    if (!tool) continue
    const reads = (stated: Stated): boolean => {
      if (typeof stated === 'boolean') return stated
      const result = resultOf(step, tool)
      return result === null || stated(result, made)
    }
    if (step.name === DATASET_CREATE && !step.error) noteMade(step, marks, made)
    if (reads(tool.exposure.foreign)) marks.foreign.push(step)
    if (reads(tool.exposure.private)) marks.private.push(step)
  }
  return marks
}

type Stated = boolean | ((result: never, made: ReadonlySet<string>) => boolean)

/** A step's result as its tool states it now; null where there is none, or not in this form. */
function resultOf({ output, error }: RunStep, tool: AnyTool): never | null {
  const parsed = error ? null : tool.output.safeParse(output)
  return parsed?.success ? (parsed.data as never) : null
}

const DATASET_CREATE = 'dataset_create'

/** A dataset that a conversation makes from what strangers wrote, before it has read anything private, is not private. */
function noteMade(step: RunStep, marks: Taint, made: Set<string>): void {
  const { name } = step.input as { name?: unknown }
  if (typeof name !== 'string') return
  if (marks.foreign.length > 0 && marks.private.length === 0) made.add(name)
  else made.delete(name)
}
