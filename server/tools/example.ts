import { env } from '../env'
import type { AnyTool } from './define'
import { isSimulatedTool } from './registry'

type Params = Record<string, unknown>

/**
 * The input with which forms, snippets and tests begin. It is empty where a tool is real, and its
 * only example names something that the simulation made.
 */
export function exampleInput(
  tool: AnyTool,
  { sandbox, SANDBOX_URL } = { sandbox: isSandboxExample(tool), SANDBOX_URL: env().SANDBOX_URL },
): Params {
  const { example = {}, sandboxExample } = tool
  if (!sandbox || sandboxExample === undefined) return example as Params
  return (typeof sandboxExample === 'function' ? sandboxExample(SANDBOX_URL) : sandboxExample) as Params
}

/** Tools that read pages of any host begin with one of the sandbox where it is the usual source. */
const isSandboxExample = (tool: AnyTool): boolean => (tool.isBuiltIn ? env().sandbox : isSimulatedTool(tool))
