import { keepJson } from '../../kit/kept-json'
import { type FunctionTool, handOffTool, INTERACTIVE_TOOLS } from './builtin-tools'
import { hasEarlierResults } from './earlier-results'
import { functionOf, toolsOffered } from './offered-tools'
import { RESULT_READ_TOOL } from './result-read'
import { type AgentRun, canUseTools, currentAgent } from './state'

/** The functions of runs in progress, with the state that they depend on. */
const known = new WeakMap<AgentRun, { state: string; functions: readonly FunctionTool[] }>()

/**
 * What the model may call now. The run's settings and state decide it, never what the run has read.
 * The same array as long as nothing of it changes, with its JSON kept: it is the largest part of
 * most prompts.
 */
export function functionsFor(run: AgentRun): readonly FunctionTool[] {
  const state = canUseTools(run) ? currentAgent(run).id : `plan ${hasEarlierResults(run)}`
  const before = known.get(run)
  if (before?.state === state) return before.functions
  const functions = keepJson(functionsIn(run))
  known.set(run, { state, functions })
  return functions
}

function functionsIn(run: AgentRun): FunctionTool[] {
  if (!canUseTools(run)) return [...INTERACTIVE_TOOLS, ...(hasEarlierResults(run) ? [RESULT_READ_TOOL] : [])]
  const tools = toolsOffered({ ...run, agent: currentAgent(run) }).map(functionOf)
  return [...tools, RESULT_READ_TOOL, ...handOffTool(run), ...(run.mode === 'interactive' ? INTERACTIVE_TOOLS : [])]
}
