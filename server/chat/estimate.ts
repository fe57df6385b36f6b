import type { CallEstimate } from '../credits/shape'
import { usualCharge } from '../credits/usual-charge'
import type { ReadOptions } from '../kit/pg-read'
import type { CompletionRequest } from '../models/completion'
import { creditsForTokens } from '../models/prices'
import { planCompletion } from './plan'

/** An answer of a few paragraphs, tokens: for a model that has answered this owner nothing yet. */
const FIRST_ANSWER = 400

/** `least`: what must be free for the call to begin. */
export type CompletionEstimate = CallEstimate & { most: number; least: number; promptTokens: number }

/**
 * What a completion would hold where nothing else limits it, and what it usually costs this owner.
 * Throws what refuses such a request.
 */
export async function estimateCompletion(
  ownerId: number,
  request: CompletionRequest,
  options?: ReadOptions,
): Promise<CompletionEstimate> {
  const { model, promptTokens, n, least, most } = await planCompletion(request, { ownerId, grants: null })
  const usual = await usualCharge(ownerId, model.id, options)
  const each = usual?.outputTokens ?? FIRST_ANSWER
  const typical = creditsForTokens({ inputTokens: promptTokens, outputTokens: each * n }, model)
  return {
    most: Number(most),
    least: Number(least),
    promptTokens,
    typical: Math.min(Number(typical), Number(most)),
    basis: usual ? 'receipts' : 'estimate',
  }
}
