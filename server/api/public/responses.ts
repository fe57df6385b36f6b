import { z } from 'zod'
import { ResponsesRequest } from '../../models/wires/responses/request'
import { billed } from '../billed'
import { billedProcedure } from '../trpc'
import { COMPLETION_REST, type CompletionResponse } from './completion'
import { checkResponse, responseInProgress } from './kept-response'

/** Any value of the procedure passes; the OpenAPI document gets what the handler writes. */
const ResponsesOutput = z
  .custom<CompletionResponse>(() => true)
  .meta({
    description: 'A response (or, with stream, its events as server-sent events) with the billing block added',
    override: {
      type: 'object',
      additionalProperties: true,
      required: ['id', 'object', 'created_at', 'status', 'model', 'output'],
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

const createResponse = billed(checkResponse)

export const responsesProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/responses',
      operationId: 'createResponse',
      summary: 'Answer a conversation, in the wire format of the Responses API',
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
  .mutation((call) =>
    createResponse(call).catch(async (error) => {
      const body = await responseInProgress(error, call)
      if (body) return { kind: 'json' as const, body }
      throw error
    }),
  )
