import type { CompletionRequest } from '../models/completion'
import { countAtUpstream } from '../models/upstream/count-tokens'
import { type PlanFor, planCompletion } from './plan'

/** Tokens of a prompt. `estimated`: counted here, at most; else by the provider. */
export type PromptCount = { tokens: number; estimated: boolean }

/**
 * Counts a prompt without calling the model: a provider with the messages API is asked, and where
 * none is or none answers, it is what a call would reserve. Throws what refuses such a request.
 */
export async function countPromptTokens(
  request: CompletionRequest,
  by: PlanFor,
  signal: AbortSignal,
): Promise<PromptCount> {
  const { model, promptTokens } = await planCompletion(request, by)
  const counted = await countAtUpstream(model, request, signal)
  return counted === null ? { tokens: promptTokens, estimated: true } : { tokens: counted, estimated: false }
}
