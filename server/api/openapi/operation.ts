import { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi'
import type { RestOperation } from '../operations'
import { envelopeName } from './envelopes'
import { COMMON_HEADERS, headersNamed } from './headers'
import { EITHER_KEY } from './security'
import { errorStatusesOf } from './statuses'

type Content = NonNullable<oas31.ResponseObject['content']>
type Responses = NonNullable<ZodOpenApiOperationObject['responses']>

/** The fields of an operation's input that its path does not have. */
function fieldsOf({ input, openapi }: RestOperation): { path: z.ZodObject; rest: z.ZodObject } | null {
  if (!(input instanceof z.ZodObject)) return null
  const inPath = new Set([...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  const split = (wanted: boolean) =>
    Object.fromEntries(Object.entries(input.shape).filter(([name]) => inPath.has(name) === wanted))
  const rest = input.def.catchall instanceof z.ZodNever ? z.strictObject(split(false)) : z.object(split(false))
  return { path: z.object(split(true)), rest }
}

function requestOf(operation: RestOperation): Partial<ZodOpenApiOperationObject> {
  const fields = fieldsOf(operation)
  const isEmpty = fields !== null && Object.keys(fields.rest.shape).length === 0
  const hasPath = fields !== null && Object.keys(fields.path.shape).length > 0
  const inPath = hasPath && { path: fields.path }
  if (operation.openapi.method === 'GET') {
    const query = fields && !isEmpty && { query: fields.rest }
    return { ...((inPath || query) && { requestParams: { ...inPath, ...query } }) }
  }
  // A body with the fields of the path left out, or the input as it is, with its own rules.
  const schema = hasPath ? fields.rest : operation.input
  return {
    ...(inPath && { requestParams: inPath }),
    requestBody: { required: !isEmpty, content: { 'application/json': { schema: schema ?? z.object({}) } } },
  }
}

/** The content of a success: JSON of its schema, and what else it may be. */
function contentOf({ rest, output }: RestOperation, schema: z.ZodType | { $ref: string } | undefined) {
  const types = Object.entries(rest.content ?? { 'application/json': '' })
  return Object.fromEntries(
    types.map(([type, description]) => [
      type,
      type === 'application/json' ? { schema: schema ?? output } : { schema: { type: 'string', description } },
    ]),
  ) as Content
}

function successesOf(operation: RestOperation, named: ReadonlySet<string>): Responses {
  const { rest, success } = operation
  const isReplayed = rest.traits?.some((trait) => trait === 'idempotent' || trait === 'replays') ?? false
  const headers = headersNamed([...COMMON_HEADERS, ...(isReplayed ? (['Idempotent-Replayed'] as const) : [])])
  const { bodies = {}, schema: name } = rest
  const statuses = [...new Set([success, ...Object.keys(bodies).map(Number)])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      if (bodies[status] === null) return [status, { description: 'Nothing new.', headers }]
      const schema = bodies[status] ?? (name && named.has(name) ? { $ref: `#/components/schemas/${name}` } : undefined)
      return [status, { description: describeSuccess(operation), headers, content: contentOf(operation, schema) }]
    }),
  )
}

const describeSuccess = ({ rest }: RestOperation): string =>
  Object.values(rest.content ?? {})
    .filter(Boolean)
    .join('. ') || 'Success.'

/** What a call costs, in words. */
function priceOf({ rest }: RestOperation): string {
  if (rest.traits?.includes('billed')) return 'Billed in credits: `service.credits_charged` is the charge.'
  return rest.traits?.includes('paid') ? 'Billed in credits as it runs.' : 'Free.'
}

function describe({ openapi, ...operation }: RestOperation): string {
  const sentences = [`${openapi.summary}.`, openapi.description, priceOf({ openapi, ...operation })]
  return sentences.filter(Boolean).join(' ')
}

/** The names of the error responses that an operation can have, such as `ChatError402`. */
export const errorResponsesOf = (operation: Pick<RestOperation, 'openapi' | 'rest'>): [number, string][] =>
  errorStatusesOf(operation).map((status) => [status, `${envelopeName(operation.rest.errors)}${status}`])

/**
 * One operation for `createDocument`. `named` are the schemas that the document has under names
 * besides those of operations.
 */
export function operationObject(operation: RestOperation, named: ReadonlySet<string>): ZodOpenApiOperationObject {
  const { openapi, rest } = operation
  const headers = [...(rest.traits?.includes('idempotent') ? ['idempotency-key'] : []), ...(rest.headers ?? [])].map(
    (name) => ({ $ref: `#/components/parameters/${name}` }),
  )
  const errors = errorResponsesOf(operation).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ])
  return {
    operationId: openapi.operationId,
    summary: openapi.summary,
    description: describe(operation),
    tags: openapi.tags,
    security: openapi.protect ? EITHER_KEY : [{}, ...EITHER_KEY],
    ...requestOf(operation),
    ...(headers.length > 0 && { parameters: headers as never }),
    responses: { ...successesOf(operation, named), ...Object.fromEntries(errors) },
  }
}
