import { z } from 'zod'

const tokens = z.int('must be a whole number of tokens').min(0).max(1e9)
const usd = z.number('must be a number of US dollars').min(0).max(1e6)
const ratio = z.string().regex(/^\d{1,3}:\d{1,3}$/, 'must look like 16:9')
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .transform((url) => url.replace(/\/+$/, ''))

const APIS = ['chat', 'responses', 'messages', 'embeddings', 'images', 'videos', 'fal'] as const

/**
 * An endpoint of a model. `apiKeyEnv` names the variable with its key; null or empty: it needs
 * none. `limitField` is the name under which a `chat` API takes the output limit; `cacheMarks`: it
 * takes `cache_control` on parts of messages.
 */
export const Upstream = z.strictObject({
  api: z.enum(APIS, `must be one of ${APIS.join(', ')}`),
  baseUrl: httpUrl,
  apiKeyEnv: z
    .union([z.literal(''), z.string().regex(/^[A-Z_][A-Z0-9_]*$/i, 'must name an environment variable'), z.null()])
    .transform((name) => name || null),
  model: z.string().min(1, 'must name the model as the upstream knows it').max(200),
  limitField: z.enum(['max_completion_tokens', 'max_tokens'], 'must be max_completion_tokens or max_tokens').optional(),
  cacheMarks: z.boolean().optional(),
})
export type Upstream = z.infer<typeof Upstream>

export const ImagePrices = z.strictObject({
  ratios: z.array(ratio).min(1).optional(),
  sizes: z.array(z.string().min(1)).min(1).optional(),
  usdPerImage: usd,
})
export type ImagePrices = z.infer<typeof ImagePrices>

const Seconds = z
  .strictObject({ min: z.number().positive(), max: z.number().positive(), default: z.number().positive() })
  .refine((s) => s.min <= s.default && s.default <= s.max, 'must have min <= default <= max')

export const VideoPrices = z
  .strictObject({
    seconds: z.union([Seconds, z.array(z.number().positive()).min(1)], 'must be {min, max, default} or a list'),
    resolutions: z.array(z.string().min(1)).min(1),
    ratios: z.array(ratio).min(1),
    usdPerSecond: z.record(z.string(), usd),
    audioFactor: z.number().min(1).max(100).optional(),
  })
  .refine((v) => v.resolutions.every((r) => v.usdPerSecond[r] !== undefined), {
    path: ['usdPerSecond'],
    message: 'must have a price for every resolution',
  })
export type VideoPrices = z.infer<typeof VideoPrices>

export const ModelKind = z.enum(['chat', 'embedding', 'image', 'video'], 'must be chat, embedding, image or video')
export type ModelKind = z.infer<typeof ModelKind>

/** How much a model reasons before it answers, from nothing on: in the order of their strength. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const Effort = z.enum(EFFORTS, `must be one of ${EFFORTS.join(', ')}`)
export type Effort = z.infer<typeof Effort>

/**
 * Which JSON Schema a model takes for its answer: any; OpenAI's, where every object is closed and
 * every property required; Anthropic's, which has no bounds of numbers, texts and lists; none.
 */
const SchemaDialect = z.enum(['any', 'openai', 'anthropic', 'none'])
export type SchemaDialect = z.infer<typeof SchemaDialect>

const count = z.int('must be a whole number').min(1).max(1e9)

/** What an entry of the models file says of its model, over what is known of its family. */
const AbilityOverrides = {
  parameters: z.record(z.string().regex(/^\w{1,64}$/, 'must be a field of chat completions'), z.boolean()).optional(),
  limits: z
    .strictObject({
      minOutput: count.optional(),
      maxTemperature: z.number().min(0).max(10).optional(),
      maxStop: count.optional(),
    })
    .optional(),
  schemaDialect: SchemaDialect.optional(),
  efforts: z.array(Effort).optional(),
}

export type AbilityLimits = NonNullable<z.infer<typeof AbilityOverrides.limits>>

/**
 * One entry of MODELS_FILE, which is a JSON array of these. Prices are USD, sizes tokens. `aliases`
 * are ids that requests may name it by as well; `parameters` to `efforts` say what it takes, over
 * what is known of its family.
 */
export const ModelEntry = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][\w.-]*\/[\w.:@+~-]+$/i, 'must be <provider>/<model-name>'),
    aliases: z
      .array(z.string().regex(/^[\w.:@+~/-]{1,200}$/, 'must be a model id'))
      .max(50)
      .optional(),
    name: z.string().trim().min(1).max(200),
    provider: z.string().trim().min(1).max(200),
    kind: ModelKind,
    contextSize: tokens,
    maxOutput: tokens,
    defaultMaxOutput: tokens.min(1).optional(),
    usdPer1mInput: usd,
    usdPer1mOutput: usd,
    usdPer1mCachedInput: usd.optional(),
    usdPer1mCacheWrite: usd.optional(),
    vision: z.boolean(),
    created: z.int('must be seconds since 1970').min(1).max(1e11).optional(),
    image: ImagePrices.optional(),
    video: VideoPrices.optional(),
    upstreams: z.array(Upstream).min(1, 'must name at least one'),
    ...AbilityOverrides,
  })
  .superRefine((entry, check) => {
    const wrong = (path: (string | number)[], message: string) => check.addIssue({ code: 'custom', path, message })
    const { kind } = entry
    if (kind === 'chat' && entry.contextSize < 1) wrong(['contextSize'], 'must be positive for a chat model')
    if (kind === 'chat' && entry.maxOutput < 1) wrong(['maxOutput'], 'must be positive for a chat model')
    if (kind === 'embedding' && entry.contextSize < 1) wrong(['contextSize'], 'must be positive for an embedding model')
    if (kind === 'embedding' && entry.usdPer1mOutput > 0) wrong(['usdPer1mOutput'], 'must be 0 for an embedding model')
    if (kind === 'video' && entry.contextSize > 0) wrong(['contextSize'], 'must be 0 for a video engine')
    if (kind === 'video' && (entry.usdPer1mInput > 0 || entry.usdPer1mOutput > 0))
      wrong(['usdPer1mInput'], 'must be 0 for a video engine, like usdPer1mOutput')
    for (const price of ['usdPer1mCachedInput', 'usdPer1mCacheWrite'] as const) {
      if (kind !== 'chat' && entry[price] !== undefined) wrong([price], 'is only allowed for kind chat')
    }
    for (const name of ['parameters', 'limits', 'schemaDialect', 'efforts'] as const) {
      if (kind !== 'chat' && entry[name] !== undefined) wrong([name], 'is only allowed for kind chat')
    }
    for (const part of ['image', 'video'] as const) {
      if (kind === part && !entry[part]) wrong([part], `is required for kind ${part}`)
      if (kind !== part && entry[part]) wrong([part], `is only allowed for kind ${part}`)
    }
    for (const [index, { api, limitField, cacheMarks }] of entry.upstreams.entries()) {
      if (!KIND_APIS[kind].includes(api))
        wrong(['upstreams', index, 'api'], `must be ${KIND_APIS[kind].join(' or ')} for kind ${kind}`)
      if (limitField && api !== 'chat') wrong(['upstreams', index, 'limitField'], 'is only allowed for api chat')
      if (cacheMarks && api !== 'chat') wrong(['upstreams', index, 'cacheMarks'], 'is only allowed for api chat')
    }
  })
export type ModelEntry = z.infer<typeof ModelEntry>

/** The APIs of each kind of model. Some image models have the API of chat models. */
const KIND_APIS: Record<ModelKind, readonly Upstream['api'][]> = {
  chat: ['chat', 'responses', 'messages'],
  embedding: ['embeddings'],
  image: ['images', 'chat', 'fal'],
  video: ['videos', 'fal'],
}

/** A model that can be called: only upstreams whose key is set, and token prices in credits. */
export type Model = Omit<ModelEntry, 'defaultMaxOutput'> & {
  /** Output tokens for a caller who names no limit. */
  defaultMaxOutput: number
  creditsPer1mInput: bigint
  creditsPer1mOutput: bigint
  /**
   * Of input that the provider has in its cache, or writes to it. Undefined: the price of input.
   */
  creditsPer1mCachedInput?: bigint
  creditsPer1mCacheWrite?: bigint
}

/** A model as the catalog lists it. */
export const CatalogModel = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  contextSize: z.int().describe('Tokens; 0 for video engines'),
  creditsPer1mInput: z.int().describe('Credits per million input tokens'),
  creditsPer1mOutput: z.int().describe('Credits per million output tokens'),
  vision: z.boolean().describe('Accepts image input'),
  simulated: z.boolean().describe('The sandbox answers in its place'),
})
export type CatalogModel = z.infer<typeof CatalogModel>

/** A model as `/models` lists it: the fields of chat SDKs and ours. */
export const ListedModel = z.object({
  id: z.string(),
  aliases: z.array(z.string()).optional().describe('Other ids that requests may name it by'),
  object: z.literal('model'),
  created: z.int().describe('Seconds since 1970'),
  owned_by: z.string(),
  name: z.string(),
  kind: ModelKind,
  context_length: z.int().describe('Tokens; 0 for video engines'),
  max_output: z.int().describe('Maximum output tokens of one answer'),
  vision: z.boolean().describe('Accepts image input'),
  supported_parameters: z.array(z.string()).optional().describe('Fields of chat completions that it takes'),
  supported_efforts: z.array(z.string()).optional().describe('Values of reasoning_effort that it tells apart'),
  architecture: z.object({ input_modalities: z.array(z.string()), output_modalities: z.array(z.string()) }),
  pricing: z
    .object({
      input: z.int(),
      output: z.int(),
      cached_input: z.int().optional().describe('Input that the provider has in its cache'),
      cache_write: z.int().optional().describe('Input that the provider writes to its cache'),
    })
    .describe('Credits per million tokens; image and video engines are billed by output'),
})
export type ListedModel = z.infer<typeof ListedModel>

/** A chat model as the messages API lists it. */
export const MessagesModel = z.object({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  max_input_tokens: z.int(),
  max_tokens: z.int(),
})
export type MessagesModel = z.infer<typeof MessagesModel>

/** An image engine's options and the price of one image. */
const OfferedImages = ImagePrices.omit({ usdPerImage: true }).extend({ creditsPerImage: z.int() })

/**
 * A video engine's options and its prices per second by resolution; sound multiplies them by
 * `audioFactor`.
 */
const OfferedVideos = z.object({
  seconds: VideoPrices.shape.seconds,
  resolutions: VideoPrices.shape.resolutions,
  ratios: VideoPrices.shape.ratios,
  audioFactor: VideoPrices.shape.audioFactor,
  creditsPerSecond: z.record(z.string(), z.int()),
})

/** A model as the dashboard shows it. Sizes are tokens, prices credits. */
export const OfferedModel = CatalogModel.extend({
  kind: ModelKind,
  maxOutput: z.int().describe('Maximum output tokens of one answer'),
  aliases: z.array(z.string()),
  parameters: z
    .array(z.string())
    .nullable()
    .describe('Fields of chat completions that it takes; null: it does not chat'),
  efforts: z.array(z.string()).nullable().describe('Values of reasoning_effort that it tells apart; null: not known'),
  image: OfferedImages.nullable(),
  video: OfferedVideos.nullable(),
})
export type OfferedModel = z.infer<typeof OfferedModel>
