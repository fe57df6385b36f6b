import { isRecord, type UnknownRecord } from '../kit/record'
import { findKnownModel, KNOWN_PRICES_AS_OF } from './known-models'

/** What the operator says about models whose list says nothing. */
export type Assumptions = {
  /** First part of the ids of models that have none, such as `openai`. */
  provider: string
  /** Tokens. */
  contextSize?: number
  /** USD per million tokens. */
  prices?: { input: number; output: number }
}

/** An item as routers list it, with the name under which the provider knows the model. */
export type CompletedItem = { item: unknown; model: string; note?: string }

/** Models whose names say that they are called in other ways than chat or embeddings. */
const OTHER_KINDS =
  /whisper|tts|transcribe|realtime|audio|speech|dall-?e|image|imagen|sora|veo|video|moderation|rerank|davinci|babbage|aqa|computer-use|deep-research/i
const EMBEDDING = /embed|(?:^|[-/])bge-|(?:^|[-/])e5-/i

const isQualified = (id: string) => /^[a-z0-9][\w.-]*\/[^/]+$/i.test(id)

/** An id with a provider, as the registry has them: `models/gemini-2.5-pro` is Google's way. */
function qualifiedId(id: string, provider: string): string {
  const name = id.replace(/^models\//, '')
  return isQualified(name) ? name : `${provider}/${name.replaceAll('/', '-')}`
}

/**
 * An item of any list of models with what it lacks: a plain list of an OpenAI-compatible API has
 * nothing but ids, one of vLLM has `max_model_len`, and a router's has all. What is missing comes
 * from the table of well-known models, then from what the operator assumes; what stays unknown
 * stays missing.
 */
export function completeItem(raw: unknown, assumed: Assumptions): CompletedItem {
  if (!isRecord(raw) || typeof raw.id !== 'string') return { item: raw, model: '' }
  const { id } = raw
  const known = findKnownModel(id.replace(/^models\//, '').replace(/^.*\//, ''))
  const item: UnknownRecord = {
    ...raw,
    id: qualifiedId(id, assumed.provider),
    name: raw.name ?? raw.display_name,
    context_length: raw.context_length ?? contextIn(raw) ?? known?.contextSize ?? assumed.contextSize,
    architecture: raw.architecture ?? architectureOf(id, known),
    pricing: raw.pricing ?? pricingOf(known, assumed),
    top_provider: raw.top_provider ?? (known && { max_completion_tokens: known.maxOutput || null }),
  }
  const isPricedHere = raw.pricing == null && known !== undefined
  return {
    item,
    model: id,
    ...(isPricedHere && { note: `priced as published in ${KNOWN_PRICES_AS_OF}: compare before you resell` }),
  }
}

const contextIn = ({ top_provider: top, max_model_len: length }: UnknownRecord): unknown =>
  (isRecord(top) ? top.context_length : undefined) ?? length

function architectureOf(id: string, known: ReturnType<typeof findKnownModel>) {
  const kind = known?.kind ?? (EMBEDDING.test(id) ? 'embedding' : OTHER_KINDS.test(id) ? 'other' : 'chat')
  const output = { chat: 'text', embedding: 'embeddings', other: 'unknown' }[kind]
  return { input_modalities: known?.vision ? ['text', 'image'] : ['text'], output_modalities: [output] }
}

/** Per token, as lists have it. */
function pricingOf(known: ReturnType<typeof findKnownModel>, { prices }: Assumptions) {
  if (known) {
    const { usdPer1mInput, usdPer1mOutput, usdPer1mCachedInput: cached } = known
    return {
      prompt: perToken(usdPer1mInput),
      completion: perToken(usdPer1mOutput),
      ...(cached !== undefined && { input_cache_read: perToken(cached) }),
    }
  }
  return prices && { prompt: perToken(prices.input), completion: perToken(prices.output) }
}

const perToken = (usdPer1m: number): string => (usdPer1m / 1e6).toPrecision(12)
