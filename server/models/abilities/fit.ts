import type { CompletionBody, WireName } from '../completion'
import type { Upstream } from '../shape'
import { type Draft, drop, note, refuse } from './draft'
import { fitEffort } from './fit-effort'
import { fitOutput } from './fit-output'
import { fitOwnFields } from './fit-own-fields'
import { fitSchema } from './fit-schema'
import { abilitiesAt, type Described } from './of-upstream'
import type { Abilities, Adjustment } from './shape'

/** A body as a model takes it, and what was changed of what its caller asked. */
export type Fitted = { body: CompletionBody; abilities: Abilities; adjusted: Adjustment[] }

export type FitAsk = {
  /** The wire of the body, and the one in which the caller asked. */
  wire: WireName
  asked: WireName
  outputTokens?: number
}

type Fitting = { model: Described & { maxOutput: number }; upstream: Upstream }

/**
 * Fits a body of an upstream's wire to what a model takes there: clamps, leaves out, rewrites.
 * Throws `invalid_request` for what would change the answer. The only place that does so.
 */
export function fitBody(body: CompletionBody, { wire, asked, outputTokens }: FitAsk, to: Fitting): Fitted {
  const abilities = abilitiesAt(to.model, to.upstream)
  const draft: Draft = { wire, asked, model: to.model.id, abilities, body: { ...body }, outputTokens, adjusted: [] }
  fitOwnFields(draft)
  fitParameters(draft)
  fitLimit(draft, to.model.maxOutput)
  fitEffort(draft)
  fitSchema(draft)
  return { body: draft.body, abilities, adjusted: draft.adjusted }
}

/** Fields without which the answer would not be what was asked for, and what asks for nothing. */
const MEANING: Readonly<Record<string, (value: unknown) => boolean>> = {
  stop: (value) => value != null && [value].flat().length > 0,
  logprobs: (value) => value === true,
  top_logprobs: (value) => typeof value === 'number' && value > 0,
  logit_bias: (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  tools: (value) => Array.isArray(value) && value.length > 0,
  functions: (value) => Array.isArray(value) && value.length > 0,
  response_format: (value) => value != null,
  prediction: (value) => value != null,
  n: (value) => typeof value === 'number' && value > 1,
}

/** What a wire calls a field of chat completions, where it has it at the top level. */
const HERE: Partial<Record<WireName, Readonly<Record<string, string>>>> = { messages: { stop: 'stop_sequences' } }

/** Fields whose place differs between wires: others fit them. */
const ELSEWHERE = new Set(['reasoning_effort', 'verbosity', 'max_tokens'])

function fitParameters(draft: Draft): void {
  const { abilities, body, wire } = draft
  const { parameters, limits } = abilities
  for (const [field, isTaken] of Object.entries(parameters)) {
    if (isTaken || ELSEWHERE.has(field)) continue
    const name = HERE[wire]?.[field] ?? field
    if (body[name] === undefined) continue
    if (MEANING[field]?.(body[name])) refuse(draft, field, '{model} does not take it.')
    if (field in MEANING) delete body[name]
    else drop(draft, name)
  }
  fitVerbosity(draft)
  const { maxStop = Number.POSITIVE_INFINITY } = limits
  if (Array.isArray(body.stop) && body.stop.length > maxStop) refuse(draft, 'stop', `{model} takes ${maxStop} at most.`)
  const max = limits.maxTemperature ?? (wire === 'messages' ? 1 : Number.POSITIVE_INFINITY)
  if (typeof body.temperature === 'number' && body.temperature > max) {
    body.temperature = max
    note(draft, 'temperature', String(max))
  }
}

function fitVerbosity(draft: Draft): void {
  const { abilities, body, wire } = draft
  if (abilities.parameters.verbosity !== false) return
  if (wire === 'chat') drop(draft, 'verbosity', 'medium')
  const { verbosity, ...text } = (body.text ?? {}) as CompletionBody
  if (wire !== 'responses' || verbosity === undefined) return
  body.text = text
  if (verbosity !== 'medium') note(draft, 'verbosity', 'dropped')
}

const LIMIT_FIELDS: Record<WireName, readonly string[]> = {
  chat: ['max_completion_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
}

function fitLimit(draft: Draft, maxOutput: number): void {
  const { abilities, body, wire } = draft
  for (const name of LIMIT_FIELDS[wire]) {
    const limit = body[name]
    if (typeof limit !== 'number') continue
    const fitted = fitOutput(limit, { maxOutput, limits: abilities.limits, wire })
    if (fitted === limit) continue
    body[name] = fitted
    note(draft, 'max_tokens', String(fitted))
  }
}
