import { creditsForUsd } from '../credits/price'
import { AppError, invalidRequest } from '../errors'
import type { AnyTool } from './define'

/** A call's parameters as the tool's schema reads them. Throws `invalid_request`. */
export function readToolInput(tool: AnyTool, params: unknown): never {
  const parsed = tool.params.safeParse(params)
  if (parsed.success) return parsed.data as never
  throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['params', ...issue.path] })))
}

/**
 * The highest price of a call, which is held while it runs. A metered one may have to ask the
 * provider: when that fails, nothing is charged.
 */
export async function maxCreditsOf({ pricing }: Pick<AnyTool, 'pricing'>, input: never): Promise<bigint> {
  if (pricing.kind === 'fixed') return BigInt(pricing.credits)
  try {
    return creditsForUsd(await pricing.boundUsd(input))
  } catch (error) {
    throw error instanceof AppError && error.code === 'upstream_error' ? error.charged(0) : error
  }
}
