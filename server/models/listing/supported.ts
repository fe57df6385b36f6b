import { abilitiesAt } from '../abilities/of-upstream'
import type { Abilities } from '../abilities/shape'
import type { Model, Upstream } from '../shape'
import { EFFORTS, type Effort } from '../shape'
import { NOT_CARRIED } from '../wires/not-carried'

/** Fields of chat completions that clients ask about, in the names of lists of models. */
const PARAMETERS =
  'max_tokens temperature top_p top_k stop seed presence_penalty frequency_penalty logit_bias logprobs top_logprobs n tools tool_choice parallel_tool_calls response_format structured_outputs reasoning reasoning_effort verbosity prediction'.split(
    ' ',
  )

/** What an upstream's wire has no place for. */
const notCarried = (api: Upstream['api']): ReadonlySet<string> =>
  new Set(NOT_CARRIED.filter(({ to }) => to === api).flatMap(({ sent }) => Object.keys(sent.chat ?? {})))

const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'top_k']

function isTaken(field: string, { abilities, api }: { abilities: Abilities; api: Upstream['api'] }): boolean {
  const { parameters, sampling, schemaDialect, efforts, ownFieldsOnly, thinking } = abilities
  if (parameters[field] !== undefined) return parameters[field]
  switch (field) {
    case 'structured_outputs':
      return schemaDialect !== 'none'
    // JSON without a schema is asked for in the prompt where a wire has no form for it.
    case 'response_format':
      return true
    case 'reasoning':
    case 'reasoning_effort':
      return efforts === undefined ? thinking !== 'none' : efforts.length > 0 || (thinking ?? 'none') !== 'none'
    case 'verbosity':
      return api !== 'messages'
    default:
      if (sampling !== undefined && sampling !== 'one' && SAMPLING.includes(field)) return false
      if (field === 'top_k') return api === 'messages' || (api === 'chat' && !ownFieldsOnly)
      return !notCarried(api).has(field)
  }
}

/** What a model takes where it is called first. */
function firstOf(model: Model): { abilities: Abilities; api: Upstream['api'] } | null {
  const [upstream] = model.upstreams
  return model.kind === 'chat' && upstream ? { abilities: abilitiesAt(model, upstream), api: upstream.api } : null
}

/** The fields of chat completions that a model takes; undefined for one that does not chat. */
export function supportedParameters(model: Model): string[] | undefined {
  const first = firstOf(model)
  return first ? PARAMETERS.filter((field) => isTaken(field, first)) : undefined
}

/** The efforts that a model tells apart; undefined: not known. */
export function supportedEfforts(model: Model): readonly Effort[] | undefined {
  const abilities = firstOf(model)?.abilities
  if (abilities?.thinking === 'budget') return EFFORTS.slice(1, -1)
  return abilities?.efforts
}
