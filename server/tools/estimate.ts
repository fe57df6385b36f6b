import { creditsForUsd } from '../credits/price'
import type { CallEstimate } from '../credits/shape'
import { usualCharge } from '../credits/usual-charge'
import type { ReadOptions } from '../kit/pg-read'
import type { AnyTool, FittedParam } from './define'
import { maxCreditsOf, readToolInput } from './price'

export type ToolEstimate = CallEstimate & { fitted: readonly FittedParam[] }

/**
 * What a call of a tool would hold and usually costs this owner, and what of its parameters it
 * would change. Nothing is held, and no provider is asked. Throws what refuses such a call.
 */
export async function estimateToolCall(
  ownerId: number,
  { tool, params }: { tool: AnyTool; params: unknown },
  options?: ReadOptions,
): Promise<ToolEstimate> {
  const input = readToolInput(tool, params)
  const fitted = tool.fitted?.(input) ?? []
  const { pricing } = tool
  if (pricing.kind === 'fixed') {
    return { most: pricing.credits, typical: pricing.credits, basis: 'price', fitted }
  }
  const max = pricing.asksProvider?.(input) ? null : Number(await maxCreditsOf(tool, input))
  const usual = await usualCharge(ownerId, tool.id, options)
  // A caller's own limit says nothing about the cost; any other hold grows with what is asked for.
  const typical = usual
    ? max === null || pricing.capUsd
      ? usual.charged
      : Math.ceil(usual.share * max)
    : pricing.usualUsd
      ? Number(creditsForUsd(await pricing.usualUsd(input)))
      : null
  return {
    most: max,
    typical: typical === null || max === null ? typical : Math.min(typical, max),
    basis: usual ? 'receipts' : 'estimate',
    fitted,
  }
}
