import type { generateOpenApiDocument } from 'trpc-to-openapi'
import { ERROR_CODES } from '../errors'
import { restOperations } from './operations'
import { appRouter } from './router'
import type { ProcedureMeta } from './trpc'

type Document = ReturnType<typeof generateOpenApiDocument>
type Schema = NonNullable<NonNullable<Document['components']>['schemas']>[string]
type Responses = Record<string, object>
type Described = { operationId?: string; responses?: Responses }

const errorSchema: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What went wrong, for people' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES), description: 'What went wrong, for programs' },
    issues: {
      type: 'array',
      description: 'With invalid_request: each wrong field',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    limitSource: {
      type: 'string',
      enum: ['balance', 'key_budget', 'conversation'],
      description: 'With insufficient_credits: which limit refused',
    },
    service: {
      type: 'object',
      required: ['credits_charged'],
      description: 'Only where a call ran and then failed: what it cost',
      properties: { credits_charged: { type: 'integer' } },
    },
  },
}

/** The envelope of chat SDKs. */
const chatErrorSchema: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param'],
      properties: {
        message: { type: 'string', description: 'What went wrong, for people' },
        type: { type: 'string', enum: [...new Set(Object.values(ERROR_CODES).map(({ chat }) => chat))] },
        code: { type: 'string', enum: Object.keys(ERROR_CODES), description: 'What went wrong, for programs' },
        param: { type: ['string', 'null'], description: 'The field it is about' },
      },
    },
    service: {
      type: 'object',
      required: ['credits_charged'],
      description: 'Only where a model answered and then failed: what it cost',
      properties: { credits_charged: { type: 'integer' } },
    },
  },
}

/** The envelope of SDKs of the messages API. */
const messagesErrorSchema: Schema = {
  type: 'object',
  required: ['type', 'error', 'request_id'],
  properties: {
    type: { type: 'string', const: 'error' },
    error: {
      type: 'object',
      required: ['type', 'message', 'code'],
      properties: {
        type: { type: 'string', description: 'What kind of error it is, as SDKs know it' },
        message: { type: 'string', description: 'What went wrong, for people' },
        code: { type: 'string', enum: Object.keys(ERROR_CODES), description: 'What went wrong, for programs' },
      },
    },
    request_id: { type: 'string', description: 'The same as the header request-id' },
    service: {
      type: 'object',
      required: ['credits_charged'],
      description: 'Only where a model answered and then failed: what it cost',
      properties: { credits_charged: { type: 'integer' } },
    },
  },
}

const ERROR_SCHEMAS = { chat: 'ChatError', messages: 'MessagesError' } as const

/** Every error that an operation can return, by status, in one of the envelopes. */
function errorResponses(schema: 'Error' | 'ChatError' | 'MessagesError'): Responses {
  const byStatus = Map.groupBy(Object.entries(ERROR_CODES), ([, { status }]) => String(status))
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.map(([code]) => code).join(', '), content }]),
  )
}

const NOTHING_NEW = { description: 'Finished, with nothing new: do not reconnect' }

/** The REST operations as an OpenAPI 3.1 document, made from the procedures' own schemas. */
export async function openApiDocument(publicUrl: string): Promise<Document> {
  // Loaded when somebody asks: it is only for this document.
  const { generateOpenApiDocument } = await import('trpc-to-openapi')
  const document = generateOpenApiDocument<ProcedureMeta>(appRouter, {
    title: 'Tollgate',
    description: 'Tools, chat models and agent runs behind one key, billed in credits.',
    version: '1',
    openApiVersion: '3.1.0',
    baseUrl: `${publicUrl}/api/v1`,
    docsUrl: `${publicUrl}/api/v1/catalog?format=md`,
  })
  const known = new Map(restOperations().map((o) => [o.openapi.operationId, o]))
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations as Record<string, Described>)) {
      const { success = 200, alsoSuccess, errors: envelope } = known.get(operation.operationId) ?? {}
      const successes = [success, ...(alsoSuccess === undefined ? [] : [alsoSuccess])].map(String)
      const errors = errorResponses(envelope ? ERROR_SCHEMAS[envelope] : 'Error')
      const answer = operation.responses?.['200'] ?? {}
      operation.responses = Object.fromEntries([
        ...successes.map((status) => [status, status === '204' ? NOTHING_NEW : answer]),
        ...Object.entries(errors),
      ])
    }
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => !name.startsWith('error.'))
  return {
    ...document,
    components: {
      ...document.components,
      schemas: {
        ...Object.fromEntries(schemas),
        Error: errorSchema,
        ChatError: chatErrorSchema,
        MessagesError: messagesErrorSchema,
      },
    },
  }
}
