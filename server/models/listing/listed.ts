import { registryDate } from '../registry'
import type { ListedModel, MessagesModel, Model, ModelKind } from '../shape'
import { supportedEfforts, supportedParameters } from './supported'

const OUTPUTS: Record<ModelKind, string> = { chat: 'text', embedding: 'embeddings', image: 'image', video: 'video' }

const credits = (price: bigint | undefined) => (price === undefined ? undefined : Number(price))

/** A model as `/models` lists it. */
export const listModel = (model: Model): ListedModel => ({
  id: model.id,
  aliases: model.aliases,
  object: 'model',
  created: model.created ?? registryDate(),
  owned_by: model.id.slice(0, model.id.indexOf('/')),
  name: model.name,
  kind: model.kind,
  context_length: model.contextSize,
  max_output: model.maxOutput,
  vision: model.vision,
  supported_parameters: supportedParameters(model),
  supported_efforts: supportedEfforts(model)?.slice(),
  architecture: {
    input_modalities: model.vision ? ['text', 'image'] : ['text'],
    output_modalities: [OUTPUTS[model.kind]],
  },
  pricing: {
    input: Number(model.creditsPer1mInput),
    output: Number(model.creditsPer1mOutput),
    cached_input: credits(model.creditsPer1mCachedInput),
    cache_write: credits(model.creditsPer1mCacheWrite),
  },
})

/** A chat model as the messages API lists it. */
export const listMessagesModel = ({
  id,
  name,
  created = registryDate(),
  contextSize,
  maxOutput,
}: Model): MessagesModel => ({
  type: 'model',
  id,
  display_name: name,
  created_at: new Date(created * 1000).toISOString().replace('.000Z', 'Z'),
  max_input_tokens: contextSize,
  max_tokens: maxOutput,
})
