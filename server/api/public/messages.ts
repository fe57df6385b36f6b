import { z } from 'zod'
import { countPromptTokens } from '../../chat/count-tokens'
import { messagesWireCall } from '../../models/wires/messages/call'
import { CountTokensRequest, MessagesRequest, readMessagesRequest } from '../../models/wires/messages/request'
import { billed } from '../billed'
import { billedProcedure, keyProcedure, router } from '../trpc'
import { COMPLETION_MAX_BODY, COMPLETION_REST, type CompletionResponse, checkCompletion } from './completion'

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const MessagesOutput = z
  .custom<CompletionResponse>(() => true)
  .meta({
    description: 'A message (or, with stream, its events as server-sent events) with the billing block added',
    override: {
      type: 'object',
      additionalProperties: true,
      required: ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'usage', 'service'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string' },
        role: { type: 'string' },
        model: { type: 'string' },
        content: { type: 'array', items: { type: 'object', additionalProperties: true } },
        stop_reason: { type: ['string', 'null'] },
        stop_sequence: { type: ['string', 'null'] },
        usage: { type: 'object', additionalProperties: true },
        service: {
          type: 'object',
          required: ['credits_charged'],
          properties: { credits_charged: { type: 'integer' } },
        },
      },
    },
  })

const createProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/messages',
      operationId: 'createMessage',
      summary: 'Answer a conversation, in the wire format of the messages API',
      tags: ['Chat'],
      protect: true,
    },
    rest: {
      ...COMPLETION_REST,
      errors: 'messages',
      schema: 'Message',
      content: {
        'application/json': 'The message',
        'text/event-stream': 'With `stream`: its events; `message_stop` has `service`',
      },
    },
  })
  .input(MessagesRequest)
  .output(MessagesOutput)
  .mutation(billed((call) => checkCompletion(call, messagesWireCall(call.input, call.ctx.headers), 'messages')))

const countTokensProcedure = keyProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/messages/count_tokens',
      operationId: 'countMessageTokens',
      summary: 'Count the tokens of a prompt, by its provider where that has the messages API; free',
      tags: ['Chat'],
      protect: true,
    },
    rest: { errors: 'messages', maxBody: COMPLETION_MAX_BODY, ownHandler: true, traits: ['granted'] },
  })
  .input(CountTokensRequest)
  .output(
    z.object({
      input_tokens: z.int(),
      estimated: z.boolean().describe('Counted here, at most, as a call would reserve them; false: by the provider'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { tokens, estimated } = await countPromptTokens(
      readMessagesRequest(input, ctx.headers),
      ctx.caller,
      ctx.signal,
    )
    return { input_tokens: tokens, estimated }
  })

export const messagesRouter = router({ create: createProcedure, countTokens: countTokensProcedure })
