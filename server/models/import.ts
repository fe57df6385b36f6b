import { request } from 'undici'
import { z } from 'zod'
import { secretFromEnv } from '../env'
import { AppError } from '../errors'
import { type Assumptions, completeItem } from './import-plain'
import { highestTokenPrices, ListedPricing, perMillion } from './import-prices'
import { VideoItem, videoPrices } from './import-video'
import { ModelEntry } from './shape'

type Entry = z.input<typeof ModelEntry>

export type ImportOptions = {
  /** Base URL of the models and of their list. */
  baseUrl: string
  /** Variable with the key, or null. */
  apiKeyEnv: string | null
  /** The format in which its chat models are called; chat completions by default. */
  api?: 'chat' | 'messages'
  /** Factor on the provider's prices, besides MARKUP, which applies when they become credits. */
  markup: number
  /** What holds for models of which the list says too little. */
  assumed: Assumptions
}

export type ImportedModels = {
  models: Entry[]
  skipped: { id: string; why: string }[]
  notes: { id: string; note: string }[]
}

/** Most tokens of one generated image, among the providers that price images by token. */
const TOKENS_PER_IMAGE = 4_200

const modalities = z.array(z.string()).nullish()

/**
 * One model of an OpenRouter-style list, to which others are completed. Prices are USD per token,
 * as text; "-1" means unknown.
 */
const Item = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  created: z.number().nullish().catch(null),
  context_length: z.number().nullish(),
  architecture: z.looseObject({ input_modalities: modalities, output_modalities: modalities }).nullish(),
  pricing: ListedPricing,
  top_provider: z
    .looseObject({ context_length: z.number().nullish(), max_completion_tokens: z.number().nullish() })
    .nullish(),
})

class Skip extends Error {}

/**
 * Registry entries for the models of lists, OpenRouter-style or plain, and which models were
 * skipped and why. Where prices rise with the length of the prompt, the highest one applies. Every
 * entry is valid for MODELS_FILE.
 */
export function convertModelLists(
  items: readonly unknown[],
  videos: readonly unknown[],
  options: ImportOptions,
): ImportedModels {
  const made: ImportedModels = { models: [], skipped: [], notes: [] }
  const seen = new Set<string>()
  const skip = (id: string, why: string) => {
    if (!made.skipped.some((s) => s.id === id)) made.skipped.push({ id, why })
  }
  const add = (raw: unknown, convert: (raw: unknown) => { entry: Entry; note?: string }) => {
    const id = String((raw as { id?: unknown } | null)?.id ?? '(no id)')
    try {
      if (seen.has(id)) return
      const { entry, note } = convert(raw)
      const checked = ModelEntry.safeParse(entry)
      if (!checked.success) throw new Skip(issueText(checked.error))
      seen.add(id)
      made.models.push(entry)
      if (note) made.notes.push({ id, note })
    } catch (error) {
      if (!(error instanceof Skip)) throw error
      skip(id, error.message)
    }
  }
  // Some routers return the same list for any path below /models.
  for (const raw of videos.filter(isVideo)) add(raw, (item) => ({ entry: toVideo(item, options) }))
  for (const raw of items) add(raw, (item) => toEntry(item, options))
  return made
}

const isVideo = (raw: unknown) => typeof raw === 'object' && raw !== null && 'pricing_skus' in raw

const issueText = ({ issues }: z.ZodError) => `${issues[0]?.path.join('.')} ${issues[0]?.message}`

const parse = <T extends z.ZodType>(shape: T, raw: unknown): z.output<T> => {
  const parsed = shape.safeParse(raw)
  if (parsed.success) return parsed.data
  throw new Skip(issueText(parsed.error))
}

/** The provider in a name such as "Provider: Model", else the one in the id. */
const providerOf = ({ id, name }: { id: string; name?: string | null }) =>
  name?.includes(': ') ? name.slice(0, name.indexOf(': ')) : id.slice(0, Math.max(0, id.indexOf('/')))

function kindOf(outputs: readonly string[]): 'chat' | 'embedding' | 'image' | null {
  if (outputs.includes('image')) return 'image'
  if (outputs.length > 1) return null
  return outputs[0] === 'text' ? 'chat' : outputs[0] === 'embeddings' ? 'embedding' : null
}

function toEntry(
  raw: unknown,
  { baseUrl, apiKeyEnv, api = 'chat', markup, assumed }: ImportOptions,
): { entry: Entry; note?: string } {
  const completed = completeItem(raw, assumed)
  const item = parse(Item, completed.item)
  const outputs = item.architecture?.output_modalities ?? ['text']
  const kind = kindOf(outputs)
  if (kind === null)
    throw new Skip(`its output is ${outputs.join(' and ') || 'nothing'}, not text, images or embeddings`)
  const contextSize = item.context_length ?? item.top_provider?.context_length
  if (contextSize == null) throw new Skip('its context size is not known: say --assume-context')
  if (perMillion(item.pricing?.request ?? 0, 1) !== 0)
    throw new Skip('it charges per request, which the registry cannot express')
  const prices = highestTokenPrices(item.pricing, contextSize, markup)
  if (!prices) throw new Skip('its price is not known: say --assume-price')
  const perImage = perMillion(item.pricing?.image_output ?? item.pricing?.completion, markup) * (TOKENS_PER_IMAGE / 1e6)
  if (kind === 'image' && !(perImage > 0)) throw new Skip('the price of an image is not known')
  const entry: Entry = {
    id: item.id,
    name: item.name || item.id,
    provider: providerOf(item),
    kind,
    contextSize,
    maxOutput:
      kind === 'embedding' ? 0 : Math.min(item.top_provider?.max_completion_tokens ?? contextSize, contextSize),
    usdPer1mInput: prices.input,
    usdPer1mOutput: kind === 'embedding' ? 0 : prices.output,
    ...(kind === 'chat' && prices.cached !== null && { usdPer1mCachedInput: prices.cached }),
    ...(kind === 'chat' && prices.written !== null && { usdPer1mCacheWrite: prices.written }),
    vision: item.architecture?.input_modalities?.includes('image') ?? false,
    ...(kind === 'image' && { image: { usdPerImage: Number(perImage.toPrecision(6)) } }),
    ...(item.created != null && item.created >= 1 && { created: Math.floor(item.created) }),
    upstreams: [{ api: kind === 'chat' ? api : apiOf(kind, outputs), baseUrl, apiKeyEnv, model: completed.model }],
  }
  return { entry, note: prices.isRaised ? 'priced at the highest rate its list has' : completed.note }
}

function apiOf(kind: 'chat' | 'embedding' | 'image', outputs: readonly string[]) {
  if (kind === 'embedding') return 'embeddings'
  return kind === 'image' && !outputs.includes('text') ? 'images' : 'chat'
}

function toVideo(raw: unknown, options: ImportOptions): Entry {
  const item = parse(VideoItem, raw)
  const video = videoPrices(item, options.markup)
  if (!video) throw new Skip('its price per second is not known')
  return {
    id: item.id,
    name: item.name || item.id,
    provider: providerOf(item),
    kind: 'video',
    contextSize: 0,
    maxOutput: 0,
    usdPer1mInput: 0,
    usdPer1mOutput: 0,
    vision: (item.supported_frame_images?.length ?? 0) > 0,
    video,
    upstreams: [{ api: 'videos', baseUrl: options.baseUrl, apiKeyEnv: options.apiKeyEnv, model: item.id }],
  }
}

const credentials = (key: string, api: ImportOptions['api']): Record<string, string> =>
  api === 'messages' ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${key}` }

/** Reads one list. One that is `optional` and missing is empty. Throws `upstream_error`. */
async function readList(url: string, { apiKeyEnv, api }: ImportOptions, optional: boolean): Promise<unknown[]> {
  const key = apiKeyEnv ? secretFromEnv(apiKeyEnv) : undefined
  const fail = (why: string, cause?: unknown) => new AppError('upstream_error', `${url} ${why}.`, { cause })
  const headers = { accept: 'application/json', ...(key && credentials(key, api)) }
  const reply = await request(url, { headers, headersTimeout: 30_000, bodyTimeout: 30_000 }).catch((cause) => {
    throw fail('cannot be reached', cause)
  })
  if (reply.statusCode !== 200) {
    await reply.body.dump()
    if (optional) return []
    throw fail(`returned ${reply.statusCode}`)
  }
  const json: unknown = await reply.body.json().catch(() => null)
  const list = Array.isArray(json) ? json : (json as { data?: unknown } | null)?.data
  if (Array.isArray(list)) return list
  if (optional) return []
  throw fail('is not a list of models')
}

/**
 * Registry entries for a router's chat, embedding, image and video models, read from its lists.
 * Throws `upstream_error`.
 */
export async function importModelLists(options: ImportOptions): Promise<ImportedModels> {
  const [items, images, embeddings, videos] = await Promise.all([
    readList(`${options.baseUrl}/models`, options, false),
    readList(`${options.baseUrl}/models?output_modalities=image`, options, true),
    readList(`${options.baseUrl}/embeddings/models`, options, true),
    readList(`${options.baseUrl}/videos/models`, options, true),
  ])
  return convertModelLists([...items, ...images, ...embeddings], videos, options)
}
