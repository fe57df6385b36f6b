import type { oas31 } from 'zod-openapi'
import { COMMON_HEADERS, headersNamed } from './headers'
import { EITHER_KEY } from './security'

const headers = headersNamed(COMMON_HEADERS)

const errors = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]))

const text = (description: string) => ({ schema: { type: 'string', description } as const })
const binary = { '*/*': { schema: { description: 'The file' } } }
const fileHeaders = headersNamed(['x-request-id', 'ETag'])

/** Statuses whose responses these operations need in the document. */
export const OTHER_ERROR_STATUSES = [400, 401, 403, 404, 408, 413, 415, 429, 500, 503]

/**
 * Operations that are no procedures: the document itself, MCP, and hosted files. `publicUrl` is the
 * address of the server, below which files are.
 */
export const otherOperations = (publicUrl: string): oas31.PathsObject => ({
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      summary: 'Get the OpenAPI document',
      description: 'The operations as an OpenAPI 3.1 document. Free.',
      tags: ['Catalog'],
      security: [{}, ...EITHER_KEY],
      responses: {
        200: { description: 'The document.', headers, content: { 'application/json': { schema: { type: 'object' } } } },
        ...errors(400, 401, 429, 500, 503),
      },
    },
  },
  '/mcp': {
    post: {
      operationId: 'callMcp',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'A stateless server over Streamable HTTP for MCP clients, with the tools of the key. Only `tools/call` is billed; its result has `service`, and failures are results with `isError`.',
      tags: ['MCP'],
      security: EITHER_KEY,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { description: 'A JSON-RPC 2.0 message, or a batch of them' } } },
      },
      responses: {
        200: {
          description: 'The answer to a request.',
          headers,
          content: {
            'application/json': { schema: { description: 'A JSON-RPC 2.0 response, or one for each in a batch' } },
            'text/event-stream': text('Progress notifications and the response, for a call with a progressToken'),
          },
        },
        202: { description: 'A notification was accepted.', headers },
        400: {
          description: 'The body is not a message that this server understands.',
          headers,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/JsonRpcError' } } },
        },
        404: {
          description: 'Revision 2026-07-28: there is no such method.',
          headers,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/JsonRpcError' } } },
        },
        ...errors(401, 403, 408, 413, 415, 429, 500, 503),
      },
    },
  },
  '/files/{fileId}': {
    servers: [{ url: publicUrl }],
    get: {
      operationId: 'getFile',
      summary: 'Get a hosted file',
      description: 'A file that a tool made, by the URL in its result. Public, with byte ranges. Free.',
      tags: ['Files'],
      security: [],
      parameters: [
        { name: 'fileId', in: 'path', required: true, schema: { type: 'string' }, description: 'The file' },
        { name: 'Range', in: 'header', schema: { type: 'string' }, description: 'The bytes to send' },
        { name: 'If-None-Match', in: 'header', schema: { type: 'string' }, description: 'An ETag that is known' },
      ],
      responses: {
        200: { description: 'The file.', headers: fileHeaders, content: binary },
        206: { description: 'A part of the file.', headers: fileHeaders, content: binary },
        304: { description: 'The file has not changed.', headers: fileHeaders },
        416: { description: 'The file has no such bytes.', headers: fileHeaders },
        ...errors(400, 404, 500, 503),
      },
    },
  },
})

/** Schemas that only these operations use. */
export const OTHER_SCHEMAS: Record<string, oas31.SchemaObject> = {
  JsonRpcError: {
    type: 'object',
    required: ['jsonrpc', 'id', 'error'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      },
    },
  },
}
