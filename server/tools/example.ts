import { type Env, env } from '../env'
import type { AnyTool } from './define'

type Params = Record<string, unknown>

/**
 * The input with which forms, snippets and tests begin. In live mode it is empty where a tool's
 * only example names something that the simulation made.
 */
export function exampleInput(
  { example = {}, sandboxExample }: AnyTool,
  { sandbox, SANDBOX_URL }: Pick<Env, 'sandbox' | 'SANDBOX_URL'> = env(),
): Params {
  if (!sandbox || sandboxExample === undefined) return example as Params
  return (typeof sandboxExample === 'function' ? sandboxExample(SANDBOX_URL) : sandboxExample) as Params
}
