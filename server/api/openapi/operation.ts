import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import type { Trait } from '../operation-meta'
import type { RestOperation } from '../operations'
import { envelopeName } from './envelopes'
import { COMMON_HEADERS, headersNamed } from './headers'
import { EITHER_KEY } from './security'
import { errorStatusesOf } from './statuses'

type Content = NonNullable<oas31.ResponseObject['content']>
type MediaSchema = Content[string]['schema']
/** The names that shapes have among the document's schemas. */
export type SchemaNames = ReadonlyMap<z.ZodType, string>

const NAMES_CUSTOMER: readonly Trait[] = ['billed', 'paid', 'each']

/**
 * The body that the package read from an operation's input. It loses the rule about unknown fields
 * where the input has checks of its own.
 */
function bodyOf({ input }: RestOperation, { requestBody }: oas31.OperationObject) {
  if (!requestBody || '$ref' in requestBody) return requestBody
  const isStrict = input instanceof z.ZodObject && input.def.catchall instanceof z.ZodNever
  const content = Object.entries(requestBody.content).map(([type, { schema, ...media }]) => [
    type,
    {
      ...media,
      schema: isStrict && schema && !('$ref' in schema) ? { ...schema, additionalProperties: false } : schema,
    },
  ])
  return { ...requestBody, content: Object.fromEntries(content) as Content }
}

/** The parameters with their descriptions, which the package loses where a field is optional. */
function parametersOf({ input }: RestOperation, { parameters = [] }: oas31.OperationObject) {
  const shape: Record<string, z.ZodType> = input instanceof z.ZodObject ? input.shape : {}
  return parameters.map((parameter) =>
    '$ref' in parameter ? parameter : { description: shape[parameter.name]?.description, ...parameter },
  )
}

/** The schema of an operation's output, as the package read it. */
function outputOf({ responses }: oas31.OperationObject): MediaSchema {
  const success: oas31.ResponseObject | undefined = responses?.['200']
  return success?.content?.['application/json']?.schema
}

/** The name of the schema of a success that has a body of its own, such as `startAgentRun202`. */
export const successSchemaName = ({ openapi }: Pick<RestOperation, 'openapi'>, status: number | string): string =>
  `${openapi.operationId}${status}`

/** The content of a success: JSON of its schema, and what else it may be. */
const contentOf = ({ rest }: RestOperation, schema: MediaSchema): Content =>
  Object.fromEntries(
    Object.entries(rest.content ?? { 'application/json': '' }).map(([type, description]) => [
      type,
      { schema: type === 'application/json' ? schema : { type: 'string' as const, description } },
    ]),
  )

/** What a task says of itself in headers. */
const TASK_HEADERS = headersNamed(['Location', 'Preference-Applied'])

function successesOf(operation: RestOperation, read: oas31.OperationObject, names: SchemaNames): oas31.ResponsesObject {
  const { rest, success } = operation
  const isIdempotent = rest.traits?.includes('idempotent') ?? false
  const isReplayed = ['replays', 'repeatable', 'idempotent'].some((trait) => rest.traits?.includes(trait as Trait))
  const headers = headersNamed([
    ...COMMON_HEADERS,
    ...(isReplayed ? (['Idempotent-Replayed'] as const) : []),
    ...(isIdempotent ? (['Idempotency-Stored'] as const) : []),
    ...(rest.traits?.some((trait) => trait === 'versioned' || trait === 'matched') ? (['ETag'] as const) : []),
  ])
  const { bodies = {}, schema: name } = rest
  const statuses = [...new Set([success, ...Object.keys(bodies).map(Number)])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const body = bodies[status]
      if (body === null) return [status, { description: 'Nothing new.', headers }]
      const isTask = status === 202 && rest.traits?.includes('background')
      const named = body ? names.get(body) : name
      const schema = named ? { $ref: `#/components/schemas/${named}` } : outputOf(read)
      const whole = isTask ? { ...headers, ...TASK_HEADERS } : headers
      return [
        status,
        { description: describeSuccess(operation), headers: whole, content: contentOf(operation, schema) },
      ]
    }),
  )
}

const describeSuccess = ({ rest }: RestOperation): string =>
  Object.values(rest.content ?? {})
    .filter(Boolean)
    .join('. ') || 'Success.'

/** What a call costs, in words. */
function priceOf({ rest }: RestOperation): string {
  if (rest.traits?.some((trait) => trait === 'billed' || trait === 'each'))
    return 'Billed in credits: `service.credits_charged` is the charge.'
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
 * One operation of the document: its parameters, body and output as the package read them from the
 * procedure, and what the package cannot say: content types, headers, statuses and errors.
 */
export function describeOperation(
  operation: RestOperation,
  read: oas31.OperationObject,
  names: SchemaNames,
): oas31.OperationObject {
  const { openapi, rest } = operation
  const { traits = [], headers: named = [] } = rest
  const isOnce = traits.includes('idempotent') || traits.includes('repeatable')
  const headers = [
    ...(isOnce ? ['idempotency-key'] : []),
    ...(traits.includes('matched') ? ['if-match'] : []),
    ...(traits.some((trait) => NAMES_CUSTOMER.includes(trait)) ? ['x-tollgate-customer'] : []),
    ...named,
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const parameters = [...parametersOf(operation, read), ...headers]
  const requestBody = bodyOf(operation, read)
  const errors = errorResponsesOf(operation).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ])
  return {
    operationId: openapi.operationId,
    summary: openapi.summary,
    description: describe(operation),
    tags: openapi.tags,
    ...(rest.deprecated && { deprecated: true }),
    security: openapi.protect ? EITHER_KEY : [{}, ...EITHER_KEY],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successesOf(operation, read, names), ...Object.fromEntries(errors) },
  }
}
