import { z } from 'zod'
import { env } from '../../env'
import { ListedModel, type Model } from '../shape'
import { listModel } from './listed'

/** USD of one token, as text: what routers list. */
const price = (creditsPer1m: bigint | undefined) =>
  creditsPer1m === undefined ? undefined : (Number(creditsPer1m) / env().CREDITS_PER_USD / 1e6).toFixed(12)

const Price = z.string().describe('USD of one token')

/** Where a model is called, in the form of routers: one endpoint, this service. */
export const ModelEndpoints = z.object({
  data: ListedModel.pick({ id: true, name: true, created: true, architecture: true }).extend({
    description: z.string(),
    endpoints: z.array(
      z.object({
        name: z.string(),
        model_name: z.string(),
        provider_name: z.string(),
        context_length: z.int(),
        max_completion_tokens: z.int(),
        max_prompt_tokens: z.int().nullable(),
        supported_parameters: z.array(z.string()),
        quantization: z.string().nullable(),
        status: z.int().describe('0: it takes calls'),
        uptime_last_30m: z.number().nullable(),
        pricing: z.object({
          prompt: Price,
          completion: Price,
          input_cache_read: Price.optional(),
          input_cache_write: Price.optional(),
        }),
      }),
    ),
  }),
})

/** A model's endpoint at the prices that its calls are charged. */
export function describeEndpoints(model: Model): z.infer<typeof ModelEndpoints> {
  const { id, name, created, architecture, supported_parameters = [] } = listModel(model)
  return {
    data: {
      id,
      name,
      created,
      architecture,
      description: `${name} of ${model.provider}`,
      endpoints: [
        {
          name: `${model.provider} | ${id}`,
          model_name: name,
          provider_name: model.provider,
          context_length: model.contextSize,
          max_completion_tokens: model.maxOutput,
          max_prompt_tokens: null,
          supported_parameters,
          quantization: null,
          status: 0,
          uptime_last_30m: null,
          pricing: {
            prompt: price(model.creditsPer1mInput) ?? '0',
            completion: price(model.creditsPer1mOutput) ?? '0',
            input_cache_read: price(model.creditsPer1mCachedInput),
            input_cache_write: price(model.creditsPer1mCacheWrite),
          },
        },
      ],
    },
  }
}
