import { agentGroups } from '../../../agent-tools/registry'
import { lazy } from '../../../kit/lazy'
import { memoize } from '../../../kit/memoize'
import type { AnyTool } from '../../../tools/define'
import type { RunStep } from '../state'

/**
 * The steps of a conversation that have read text by strangers, and those that have read private
 * data.
 */
export type Taint = { foreign: RunStep[]; private: RunStep[] }

/** Errors of calls that never ran, so that nothing was read. */
const NEVER_RAN: ReadonlySet<string> = new Set(['rejected', 'forbidden', 'unknown_tool'])

/** Every tool by its id, also tools that are no longer configured here: their steps remain. */
const toolsById = lazy(
  (): ReadonlyMap<string, AnyTool> =>
    new Map(agentGroups().flatMap(({ tools }) => tools.map((tool) => [tool.id, tool]))),
)

/**
 * What a conversation had read by the step `upTo`. It is derived from the step rows, so it is the
 * same for every worker and nothing a model says changes it. All turns count, also those that are
 * no longer sent to the model. A failed call counts, because its error may quote what it read; so
 * does a result that was deleted or has an old form.
 */
export function taintOf(steps: readonly RunStep[], upTo = Number.POSITIVE_INFINITY): Taint {
  const tools = toolsById()
  const taint: Taint = { foreign: [], private: [] }
  const publicDatasets = new Set<string>()
  for (const step of steps) {
    if (step.index > upTo || step.kind !== 'tool' || (step.error && NEVER_RAN.has(step.error.code))) continue
    const tool = tools.get(step.name)
    if (!tool) continue
    const reads = (declared: Declared): boolean => {
      if (typeof declared === 'boolean') return declared
      const result = resultOf(step)
      return result === null || declared(result, publicDatasets)
    }
    if (step.name === DATASET_CREATE && !step.error) noteDataset(step, taint, publicDatasets)
    if (reads(tool.exposure.untrusted)) taint.foreign.push(step)
    if (reads(tool.exposure.private)) taint.private.push(step)
  }
  return taint
}

type Declared = boolean | ((result: never, publicDatasets: ReadonlySet<string>) => boolean)

/** A step's result in the form its tool declares now; null where it has none or another form. */
const resultOf = memoize(({ name, output, error }: RunStep): never | null => {
  const parsed = error ? null : toolsById().get(name)?.output.safeParse(output)
  return parsed?.success ? (parsed.data as never) : null
})

const DATASET_CREATE = 'dataset_create'

/** A dataset made from text by strangers, before anything private was read, is not private. */
function noteDataset(step: RunStep, taint: Taint, publicDatasets: Set<string>): void {
  const { name } = step.input as { name?: unknown }
  if (typeof name !== 'string') return
  if (taint.foreign.length > 0 && taint.private.length === 0) publicDatasets.add(name)
  else publicDatasets.delete(name)
}
