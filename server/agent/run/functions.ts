import { type FunctionTool, handOffTool, INTERACTIVE_TOOLS } from './builtin-tools'
import { hasEarlierResults } from './earlier-results'
import { functionOf, toolsOffered } from './offered-tools'
import { RESULT_READ_TOOL } from './result-read'
import { type AgentRun, canUseTools, currentAgent } from './state'

/**
 * What the model may call now. The run's settings and state decide it, never what the run has read.
 */
export function functionsFor(run: AgentRun): FunctionTool[] {
  if (!canUseTools(run)) return [...INTERACTIVE_TOOLS, ...(hasEarlierResults(run) ? [RESULT_READ_TOOL] : [])]
  const tools = toolsOffered({ ...run, agent: currentAgent(run) }).map(functionOf)
  return [...tools, RESULT_READ_TOOL, ...handOffTool(run), ...(run.mode === 'interactive' ? INTERACTIVE_TOOLS : [])]
}
