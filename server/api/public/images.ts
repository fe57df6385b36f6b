import { z } from 'zod'
import { AppError } from '../../errors'
import { type CallerGrants, mayCallTool, mayUseModel } from '../../keys/grants'
import { modelOfKind } from '../../models/of-kind'
import { planToolCall } from '../../tools/call'
import { ImagesAnswer, ImagesRequest, imageBatch } from '../../tools/media/image-batch'
import { billed } from '../billed'
import { describedOutput } from '../described'
import { billedProcedure } from '../trpc'
import { answerTool, idempotencyOf } from './idempotency'

/**
 * Images are models to some clients and a tool to others, so either grant is enough. Throws
 * `forbidden`.
 */
function requireImages(grants: CallerGrants, modelId: string): void {
  if (mayUseModel(grants, modelId) || mayCallTool(grants, imageBatch.id)) return
  throw new AppError(
    'forbidden',
    `This key may not make images with ${modelId}: that takes the scope llm with this model, or the tool ${imageBatch.id}.`,
  )
}

const ImagesResponse = ImagesAnswer.extend({ service: z.object({ credits_charged: z.int() }) })

export const imagesProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/images/generations',
      operationId: 'generateImages',
      summary: 'Make images, in the common images wire format',
      tags: ['Images'],
      protect: true,
    },
    rest: { errors: 'chat', schema: 'ImagesResponse', traits: ['billed', 'granted', 'idempotent'] },
  })
  .input(ImagesRequest)
  .output(describedOutput(ImagesResponse, 'The images that were made, with the billing block added'))
  .mutation(
    billed(async ({ ctx, input, by }) => {
      const model = modelOfKind('image', input.model ?? undefined)
      requireImages(by.grants, model.id)
      const plan = await planToolCall({
        tool: imageBatch,
        params: input,
        payer: by,
        granted: true,
        id: ctx.requestId,
        channel: 'images',
        idempotency: idempotencyOf(ctx, 'images'),
        callerSignal: ctx.signal,
      })
      return { plan, answer: answerTool(ctx.reply) }
    }),
  )
