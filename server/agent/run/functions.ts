import { keepJson } from '../../kit/kept-json'
import { BUILTIN_NAMES, type FunctionTool, INTERACTIVE_TOOLS } from './builtin-tools'
import { loadedNames } from './loaded-tools'
import { functionOf, hasFewTools } from './offered-tools'
import { mayRemember, REMEMBER_TOOL } from './remember'
import { RESULT_READ_TOOL } from './result-read'
import type { AgentRun } from './state'
import { RESULT_READ } from './tool-result'
import { TOOLS_CALL_TOOL, TOOLS_FIND_TOOL } from './tools-find'

/** The functions of runs in progress, with the names that they have. */
const known = new WeakMap<AgentRun, { state: string; functions: readonly FunctionTool[] }>()

/**
 * What the model may call now. The run's settings, its goal and its steps decide it. The same array
 * as long as nothing of it changes, with its JSON kept: it is the largest part of most prompts.
 */
export function functionsFor(run: AgentRun): readonly FunctionTool[] {
  // Before its plan is approved a run has its tools already, though none of them runs: the prompt
  // after it begins with the same bytes, which the provider has in its cache.
  const offered = loadedNames(run)
  const state = `${run.mode} ${offered.join()}`
  const before = known.get(run)
  if (before?.state === state) return before.functions
  const functions = keepJson([...ownFunctions(run), ...offered.flatMap((name) => functionNamed(run, name) ?? [])])
  known.set(run, { state, functions })
  return functions
}

/** The names of everything that a run's model may ever call. */
export const functionNames = (run: AgentRun): string[] => [...BUILTIN_NAMES, ...run.tools.map(({ id }) => id)]

const ownFunctions = (run: AgentRun): FunctionTool[] => [
  ...(run.mode === 'interactive' ? INTERACTIVE_TOOLS : []),
  ...(mayRemember(run) && (run.scheduleId !== null || hasFewTools(run)) ? [REMEMBER_TOOL] : []),
  ...(hasFewTools(run) ? [] : [TOOLS_CALL_TOOL, TOOLS_FIND_TOOL]),
]

function functionNamed(run: AgentRun, name: string): FunctionTool | null {
  if (name === RESULT_READ) return RESULT_READ_TOOL
  const tool = run.tools.find(({ id }) => id === name)
  return tool ? functionOf(tool) : null
}
