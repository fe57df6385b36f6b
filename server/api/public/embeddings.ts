import { z } from 'zod'
import { type EmbeddingsBody, type EmbeddingsOutcome, planEmbeddings } from '../../chat/embed'
import type { Replay } from '../../credits/plan'
import {
  EmbeddingsRequest,
  MAX_INPUT_TOKENS,
  readEmbeddingsRequest,
  type VectorFormat,
} from '../../models/embeddings/request'
import { billed } from '../billed'
import { billedProcedure } from '../trpc'
import { COMPLETION_REST } from './completion'
import { idempotencyOf, replayAnswer } from './idempotency'

/** Items of one list in a body: one more token than may be, for an error that says so. */
export const EMBEDDINGS_MAX_ITEMS = MAX_INPUT_TOKENS + 1

/** Vectors are in base64 until they are written in the format that the caller asked for. */
export type EmbeddingsResponse = {
  format: VectorFormat
  body: EmbeddingsBody & { service: { credits_charged: number } }
}

const embedding = z.object({
  object: z.string(),
  index: z.int(),
  embedding: z.union([z.array(z.number()), z.string()]).describe('Numbers, or with base64 their 32-bit floats'),
})

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const EmbeddingsOutput = z
  .custom<EmbeddingsResponse>(() => true)
  .meta({
    description: 'One vector for each text, with the billing block added',
    override: ({ jsonSchema }) =>
      void Object.assign(
        jsonSchema,
        z.toJSONSchema(
          z.object({
            object: z.literal('list'),
            data: z.array(embedding),
            model: z.string(),
            usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
            service: z.object({ credits_charged: z.int() }),
          }),
        ),
        { $schema: undefined },
      ),
  })

export const embeddingsProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/embeddings',
      operationId: 'createEmbeddings',
      summary: 'Turn texts into vectors, in the common embeddings wire format',
      tags: ['Embeddings'],
      protect: true,
    },
    rest: { ...COMPLETION_REST, errors: 'chat', schema: 'Embeddings' },
  })
  .input(EmbeddingsRequest)
  .output(EmbeddingsOutput)
  .mutation(
    billed(async ({ ctx, input, by }) => {
      const ask = readEmbeddingsRequest(input)
      const { format } = ask
      const plan = await planEmbeddings({
        model: input.model,
        ask,
        ownerId: by.ownerId,
        grants: by.grants,
        id: ctx.requestId,
        idempotency: idempotencyOf(ctx, 'embeddings'),
        signal: ctx.signal,
      })
      const answer = (outcome: EmbeddingsOutcome | Replay): EmbeddingsResponse => {
        // What is kept is a body that was made here.
        if (outcome.kind === 'replay')
          return { format, body: replayAnswer(outcome.answer, ctx.reply) as EmbeddingsResponse['body'] }
        return { format, body: { ...outcome.body, service: { credits_charged: outcome.charged } } }
      }
      return { plan, answer }
    }),
  )
