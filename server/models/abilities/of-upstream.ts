import type { ModelEntry, Upstream } from '../shape'
import { familyOf, isOpenAiName } from './families'
import type { Abilities } from './shape'

/** Hosts that refuse fields of other providers' APIs, and what else is particular to their API. */
const HOSTS: readonly { host: RegExp; abilities: Partial<Abilities> }[] = [
  { host: /(^|\.)openai\.(com|azure\.com)$|\.cognitiveservices\.azure\.com$/, abilities: { ownFieldsOnly: true } },
  // docs.mistral.ai/api: extra inputs are not permitted.
  {
    host: /(^|\.)mistral\.ai$/,
    abilities: {
      ownFieldsOnly: true,
      limitField: 'max_tokens',
      parameters: { logit_bias: false, logprobs: false, top_logprobs: false, user: false, verbosity: false },
    },
  },
  // console.groq.com/docs/openai: these and fields that it does not know are 400.
  {
    host: /(^|\.)groq\.com$/,
    abilities: { ownFieldsOnly: true, parameters: { logit_bias: false, logprobs: false, top_logprobs: false } },
  },
]

export type Described = Pick<ModelEntry, 'id' | 'parameters' | 'limits' | 'schemaDialect' | 'efforts'>

const known = new WeakMap<Described, Map<string, Abilities>>()

/**
 * What a model takes at one of its upstreams: what is known of its family by the name that the
 * upstream has for it, or else by its id here, and over that what its entry says.
 */
export function abilitiesAt(model: Described, upstream: Pick<Upstream, 'baseUrl' | 'model'>): Abilities {
  const ofModel = known.get(model) ?? new Map<string, Abilities>()
  const key = `${upstream.baseUrl} ${upstream.model}`
  const found = ofModel.get(key) ?? makeAbilities(model, upstream)
  known.set(model, ofModel.set(key, found))
  return found
}

function makeAbilities(model: Described, { baseUrl, model: name }: Pick<Upstream, 'baseUrl' | 'model'>): Abilities {
  const { host } = new URL(baseUrl)
  const atHost = HOSTS.find((each) => each.host.test(host))?.abilities
  const family = familyOf(name) ?? familyOf(model.id) ?? {}
  const { schemaDialect = family.schemaDialect, efforts = family.efforts } = model
  return {
    ...(isOpenAiName(name) && { ownFieldsOnly: true }),
    ...family,
    ...atHost,
    parameters: { ...family.parameters, ...atHost?.parameters, ...model.parameters },
    limits: { ...family.limits, ...atHost?.limits, ...model.limits },
    schemaDialect,
    efforts,
    // An entry that says a model takes such a setting knows better than its family.
    sampling: model.parameters?.temperature === true ? undefined : family.sampling,
  }
}
