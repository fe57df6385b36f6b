import { paramsJsonSchema } from '../../tools/params'
import { type FunctionTool, handOffTool, INTERACTIVE_TOOLS } from './builtin-tools'
import { type AgentRun, canUseTools, currentAgent } from './state'

/**
 * What the model may call now. The run's settings and state decide it, never what the run has read.
 */
export function functionsFor(run: AgentRun): FunctionTool[] {
  if (!canUseTools(run)) return [...INTERACTIVE_TOOLS]
  const agent = currentAgent(run)
  const tools = run.tools.filter(agent.uses).map(
    (tool): FunctionTool => ({
      type: 'function',
      function: { name: tool.id, description: tool.description, parameters: paramsJsonSchema(tool) },
    }),
  )
  return [...tools, ...handOffTool(run), ...(run.mode === 'interactive' ? INTERACTIVE_TOOLS : [])]
}
