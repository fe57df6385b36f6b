import { z } from 'zod'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import { billed } from '../billed'
import { billedProcedure } from '../trpc'
import { COMPLETION_REST, type CompletionResponse, checkCompletion } from './completion'

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const ChatOutput = z
  .custom<CompletionResponse>(() => true)
  .meta({
    description: 'A chat completion (or, with stream, its chunks as server-sent events) with the billing block added',
    override: {
      type: 'object',
      additionalProperties: true,
      required: ['id', 'object', 'created', 'model', 'choices', 'service'],
      properties: {
        id: { type: 'string' },
        object: { type: 'string' },
        created: { type: 'integer' },
        model: { type: 'string' },
        choices: { type: 'array', items: { type: 'object', additionalProperties: true } },
        usage: { type: 'object', additionalProperties: true },
        service: {
          type: 'object',
          required: ['credits_charged'],
          properties: { credits_charged: { type: 'integer' } },
        },
      },
    },
  })

export const chatProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/chat/completions',
      operationId: 'chatCompletion',
      summary: 'Complete a chat, in the common chat-completions wire format',
      tags: ['Chat'],
      protect: true,
    },
    rest: {
      ...COMPLETION_REST,
      errors: 'chat',
      schema: 'ChatCompletion',
      content: {
        'application/json': 'The completion',
        'text/event-stream': 'With `stream`: chunks, one of them with `service`, then `[DONE]`',
      },
    },
  })
  .input(ChatRequest)
  .output(ChatOutput)
  .mutation(billed((call) => checkCompletion(call, chatWireCall(call.input), 'chat')))
