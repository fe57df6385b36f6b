import { z } from 'zod'
import { getReceipt } from '../../credits/receipts'
import { ReceiptStatus } from '../../credits/shape'
import { env } from '../../env'
import { findModel } from '../../models/registry'
import { requireOwnReceipt } from '../own-customer'
import { keyProcedure } from '../trpc'

const Generation = z.object({
  data: z.object({
    id: z.string(),
    model: z.string(),
    provider_name: z.string().nullable(),
    created_at: z.string(),
    api_type: z.string().describe('The wire in which it was asked for'),
    status: ReceiptStatus,
    cancelled: z.boolean(),
    tokens_prompt: z.int(),
    tokens_completion: z.int(),
    native_tokens_prompt: z.int(),
    native_tokens_completion: z.int(),
    native_tokens_cached: z.int(),
    generation_time: z.int().nullable().describe('Milliseconds'),
    total_cost: z.number().describe('USD'),
    usage: z.number().describe('USD'),
    credits_charged: z.int(),
  }),
})

/** The id of the request that an answer's id, such as `chatcmpl-…` or `resp_…`, is made of. */
function requestIdOf(id: string): string {
  const hex = /^(?:[a-z]+[-_])?([0-9a-f]{32})$/i.exec(id)?.[1]
  return hex ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id
}

/** What clients of routers ask after an answer for what it cost. */
export const generationProcedure = keyProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/generation',
      operationId: 'getGeneration',
      summary: 'What one answer cost, in the form of routers',
      tags: ['Billing'],
      protect: true,
    },
    rest: { errors: 'chat', schema: 'Generation', traits: ['named'], ignoresUnknown: true },
  })
  .input(z.object({ id: z.string().max(200).describe('The id of an answer, or the x-request-id of its call') }))
  .output(Generation)
  .query(async ({ ctx: { caller, signal }, input: { id } }) => {
    const receipt = await getReceipt(caller.ownerId, requestIdOf(id), { signal })
    const { at, channel, what, status, credits, detail } = await requireOwnReceipt(caller, receipt)
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, durationMs = null } = detail
    const usd = credits.charged / env().CREDITS_PER_USD
    return {
      data: {
        id,
        model: what,
        provider_name: findModel(what)?.provider ?? null,
        created_at: at,
        api_type: channel,
        status,
        cancelled: status !== 'ok',
        tokens_prompt: inputTokens,
        tokens_completion: outputTokens,
        native_tokens_prompt: inputTokens,
        native_tokens_completion: outputTokens,
        native_tokens_cached: cachedInputTokens,
        generation_time: durationMs,
        total_cost: usd,
        usage: usd,
        credits_charged: credits.charged,
      },
    }
  })
