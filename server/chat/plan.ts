import { AppError, invalidRequest } from '../errors'
import { type CallerGrants, requireModel, requireScope } from '../keys/grants'
import { fitOutputOf } from '../models/abilities/fit-output'
import type { Adjustment } from '../models/abilities/shape'
import type { CompletionRequest, ModelRequest } from '../models/completion'
import { affordableOutput, defaultOutput, holdForTokens } from '../models/prices'
import { findModel } from '../models/registry'
import type { Model } from '../models/shape'
import { checkCarried } from '../models/upstream/native-body'
import { countPrompt } from '../models/wires/prompt'
import { checkMedia } from './media'

/** Tokens per choice that a caller who names no limit must be able to pay for. */
const MIN_OUTPUT = 16

/** What a request may cost, before its credits are reserved. */
export type CompletionPlan = {
  model: Model
  promptTokens: number
  n: number
  /** What is changed of the request for the model to take it. */
  adjusted: Adjustment[]
  /** Credits: the least that is enough, and the most that can be used. */
  least: bigint
  most: bigint
  /** What the model is asked once `credits` are held. */
  requestFor: (credits: bigint) => ModelRequest
}

/** Who asks for a completion, and what the key may do; null: the owner at the dashboard. */
export type PlanFor = { ownerId: number; grants: CallerGrants | null }

/** The chat model a request names. Throws `unknown_model`. */
function chatModel(id: string): Model {
  const model = findModel(id)
  if (model?.kind === 'chat') return model
  const why = model ? `${id} is an engine for ${model.kind}s and cannot chat.` : `There is no model "${id}".`
  throw new AppError('unknown_model', `${why} GET /api/v1/models lists them.`, { detail: { param: 'model' } })
}

/** Throws `invalid_request` for a strict key, whose requests are never changed. */
function refuseAdjusted({ id }: Model, adjusted: readonly Adjustment[]): void {
  const [first] = adjusted
  if (!first) return
  const changes = adjusted.map(({ field, now }) => `${field} (${now})`).join(', ')
  throw invalidRequest([
    {
      path: first.field.split('.'),
      message: `${id} does not take the request as it is, and this key is strict: ${changes}`,
    },
  ])
}

/** Throws `forbidden` when a key may not chat, or not with this model. */
function checkGrants(grants: CallerGrants, { id }: Model): void {
  requireScope(grants, 'llm')
  requireModel(grants, id)
}

/**
 * Checks a request of any wire and works out what it can cost. With a limit of the caller's: prompt
 * and n × limit. Without: as much output as model and credits allow, sent to the upstream as the
 * limit. `by`: who asks. Throws `unknown_model`, `invalid_request`, then `forbidden`.
 */
export async function planCompletion(given: CompletionRequest, by: PlanFor): Promise<CompletionPlan> {
  const model = chatModel(given.model)
  const body = await checkMedia(given, model)
  const request = { ...given, body }
  const adjusted = checkCarried(model, request)
  if (by.grants) checkGrants(by.grants, model)
  if (by.grants?.strict) refuseAdjusted(model, adjusted)
  const promptTokens = await countPrompt(given.measurePrompt(body), model, by.ownerId)
  const { n } = given.limit
  const outputTokens = given.limit.outputTokens === null ? null : fitOutputOf(model, given.limit.outputTokens)
  const hold = (tokens: number) => holdForTokens({ promptTokens, outputTokens: tokens, n }, model)
  if (outputTokens !== null) {
    const exactly = hold(outputTokens)
    return { model, promptTokens, n, adjusted, least: exactly, most: exactly, requestFor: () => request }
  }
  const wanted = defaultOutput(model, promptTokens)
  return {
    model,
    promptTokens,
    n,
    adjusted,
    least: hold(Math.min(MIN_OUTPUT, wanted)),
    most: hold(wanted),
    requestFor: (credits) => ({
      ...request,
      outputTokens: Math.min(wanted, affordableOutput(credits, { promptTokens, n }, model)),
    }),
  }
}
