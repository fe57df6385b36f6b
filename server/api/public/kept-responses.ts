import { z } from 'zod'
import { cancelResponse } from '../../chat/responses/background'
import { deleteResponse, getResponse, inputItems } from '../../chat/responses/find'
import { hasScope, keyProcedure, router } from '../trpc'
import { ItemPage, ofKept, pageOfItems, ResponseItems } from './response-items'

const ResponseId = z.object({ responseId: z.string().max(200).describe('The id of a response, resp_…') })
const Response = z.looseObject({ id: z.string(), object: z.string().optional(), status: z.string().optional() })
type Response = z.infer<typeof Response>

/** Responses that were kept, read and deleted by whoever has a key of their account. */
export const keptResponses = router({
  get: keyProcedure
    .meta(ofKept('GET', '/responses/{responseId}', ['getResponse', 'Read a kept response']))
    .input(
      ResponseId.extend({
        stream: z
          .enum(['false'], 'must be false: a kept response is read whole')
          .optional()
          .describe('A kept response is read whole'),
      }),
    )
    .use(hasScope('llm'))
    .output(Response)
    .query(async ({ ctx, input }) => (await getResponse(ctx.caller.ownerId, input.responseId)) as Response),

  delete: keyProcedure
    .meta(ofKept('DELETE', '/responses/{responseId}', ['deleteResponse', 'Delete a kept response']))
    .input(ResponseId)
    .use(hasScope('llm'))
    .output(z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }))
    .mutation(async ({ ctx, input: { responseId: id } }) => {
      await deleteResponse(ctx.caller.ownerId, id)
      return { id, object: 'response' as const, deleted: true as const }
    }),

  inputItems: keyProcedure
    .meta(
      ofKept('GET', '/responses/{responseId}/input_items', [
        'listResponseInput',
        'List what a kept response answers, its history included',
      ]),
    )
    .input(ResponseId.extend(ItemPage.shape))
    .use(hasScope('llm'))
    .output(ResponseItems)
    .query(async ({ ctx, input: { responseId, ...page } }) =>
      pageOfItems(await inputItems(ctx.caller.ownerId, responseId), page),
    ),

  cancel: keyProcedure
    .meta(
      ofKept('POST', '/responses/{responseId}/cancel', [
        'cancelResponse',
        'Stop a response that is made in the background',
      ]),
    )
    .input(ResponseId)
    .use(hasScope('llm'))
    .output(Response)
    .mutation(async ({ ctx, input }) => (await cancelResponse(ctx.caller.ownerId, input.responseId)) as Response),
})
