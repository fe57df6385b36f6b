import { z } from 'zod'
import { responsesWireCall } from '../../models/wires/responses/call'
import { ResponsesRequest } from '../../models/wires/responses/request'
import { billed } from '../billed'
import { billedProcedure } from '../trpc'
import { COMPLETION_REST, type CompletionResponse, checkCompletion } from './completion'

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const ResponsesOutput = z
  .custom<CompletionResponse>(() => true)
  .meta({
    description: 'A response (or, with stream, its events as server-sent events) with the billing block added',
    override: {
      type: 'object',
      additionalProperties: true,
      required: ['id', 'object', 'created_at', 'status', 'model', 'output', 'service'],
      properties: {
        id: { type: 'string' },
        object: { type: 'string' },
        created_at: { type: 'integer' },
        status: { type: 'string' },
        model: { type: 'string' },
        output: { type: 'array', items: { type: 'object', additionalProperties: true } },
        usage: { type: ['object', 'null'], additionalProperties: true },
        service: {
          type: 'object',
          required: ['credits_charged'],
          properties: { credits_charged: { type: 'integer' } },
        },
      },
    },
  })

export const responsesProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/responses',
      operationId: 'createResponse',
      summary: 'Answer a conversation, in the wire format of the Responses API; nothing is stored',
      tags: ['Chat'],
      protect: true,
    },
    rest: {
      ...COMPLETION_REST,
      errors: 'chat',
      schema: 'Response',
      content: {
        'application/json': 'The response',
        'text/event-stream': 'With `stream`: its events; the last one has `service`',
      },
    },
  })
  .input(ResponsesRequest)
  .output(ResponsesOutput)
  .mutation(billed((call) => checkCompletion(call, responsesWireCall(call.input), 'responses')))
