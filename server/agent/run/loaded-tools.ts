import type { AnyTool } from '../../tools/define'
import { toolsNamedIn } from '../agents'
import { nearestNames } from './nearest-name'
import { definitionTokens, firstTools, hasFewTools, maxToolTokens } from './offered-tools'
import { replyOfStep } from './reply-of-step'
import type { AgentRun, RunStep } from './state'
import { RESULT_READ, resultContent, resultLimits } from './tool-result'

export const TOOLS_FIND = 'tools_find'
/** Calls a tool that is not defined; where few tools are, all of them are. */
export const TOOLS_CALL = 'tools_call'

/** What a cut result says may be done with it, in the line before it. */
const NOTE_OF_CUT = /^\[step \d+, cut: [^\n]*/
/** The same of any result, where nothing calls a function that is not defined. */
const NOTE_OF_RESULT = /^\[step \d+[^\n]*/
const FOR_CUT = [RESULT_READ, 'dataset_create', 'dataset_export'] as const

/**
 * The names of the functions that a run's model has definitions of, in the order in which they
 * came: those of every run, those of tools that the goal names, and those that its calls, its
 * results and `tools_find` brought. It is read from the rows, so it is the same for every worker,
 * and what is new is at the end, so that upstreams can cache the rest. Of a small context's, those
 * that came first are left out, but for the ways to what was cut.
 */
export function loadedNames(run: AgentRun): string[] {
  const byId = new Map(run.tools.map((tool) => [tool.id, tool]))
  const first = firstTools(run)
  const loaded = new Set(first.map(({ id }) => id))
  const add = (ids: readonly string[]) => {
    for (const id of ids) if (byId.has(id) || id === RESULT_READ) loaded.add(id)
  }
  for (const turn of run.turns) {
    add(toolsNamedIn(turn.goal, run.tools).map(({ id }) => id))
    const steps = run.steps.filter(({ runId }) => runId === turn.runId)
    for (const step of steps) add(namesOfStep(step, byId))
    for (const step of steps) if (step.kind === 'model') add(namesOfResults(run, step, steps))
  }
  return withinContext(run, { loaded: [...loaded], first: new Set(first), byId })
}

/** What a step brings: the called tool, and those that follow it; what was found. */
function namesOfStep({ kind, name, output, error }: RunStep, byId: ReadonlyMap<string, AnyTool>): string[] {
  if (kind === 'summary') return [RESULT_READ]
  if (kind !== 'tool') return []
  if (error?.code === 'unknown_tool') return nearestNames(name, [...byId.keys()])
  if (name !== TOOLS_FIND) return [name, ...(byId.get(name)?.leadsTo ?? [])]
  const { tools } = (output ?? {}) as { tools?: unknown }
  return Array.isArray(tools) ? tools.map((found: { name?: unknown }) => String(found.name)) : []
}

/** What the results of a model step's calls name because they were cut. */
function namesOfResults(run: AgentRun, step: RunStep, steps: readonly RunStep[]): string[] {
  const byIndex = new Map(steps.map((one) => [one.index, one]))
  const results = replyOfStep(step).calls.map((_, i) => byIndex.get(step.index + 1 + i))
  const limits = resultLimits(run, results)
  const pattern = hasFewTools(run) ? NOTE_OF_RESULT : NOTE_OF_CUT
  const notes = results.map((result, i) => pattern.exec(resultContent(result, limits[i]))?.[0] ?? '').join()
  return FOR_CUT.filter((name, i) => notes.includes(name) || (i > 0 && notes.includes('dataset_create')))
}

type Loaded = { loaded: readonly string[]; first: ReadonlySet<AnyTool>; byId: ReadonlyMap<string, AnyTool> }

function withinContext(run: AgentRun, { loaded, first, byId }: Loaded): string[] {
  const sizes = loaded.map((id) => definitionTokens(byId.get(id) ?? null))
  let over = sizes.reduce((sum, size) => sum + size, 0) - maxToolTokens(run)
  return loaded.filter((id, i) => {
    const tool = byId.get(id)
    if (over <= 0 || (tool && first.has(tool)) || FOR_CUT.some((name) => name === id)) return true
    over -= sizes[i] ?? 0
    return false
  })
}
