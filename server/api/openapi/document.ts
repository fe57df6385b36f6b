import type { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { isRecord } from '../../kit/record'
import type { ProcedureMeta } from '../operation-meta'
import { type RestOperation, restOperations } from '../operations'
import { appRouter } from '../router'
import { ERROR_SCHEMAS, ServiceSchema } from './envelopes'
import { COMMON_HEADERS, HEADER_PARAMETERS, HEADERS, headersNamed } from './headers'
import { NAMED_SCHEMAS } from './named-schemas'
import { describeOperation, errorResponsesOf, type SchemaNames, successSchemaName } from './operation'
import { OTHER_ERROR_STATUSES, OTHER_SCHEMAS, otherOperations } from './other-operations'
import { EITHER_KEY, SECURITY_SCHEMES } from './security'
import { describeStatus, RETRIED } from './statuses'
import { QUERY_RESULT, toolResultSchemas } from './tool-results'

/** The headings of the operations, in the order of the reference, with what is under them. */
export const TAGS: Record<string, string> = {
  Tools: 'Tools over REST',
  Chat: 'Chat models, in the wire formats of common SDKs',
  Embeddings: 'Vectors of texts, in the wire format of common SDKs',
  Images: 'Image engines, in the wire format of common SDKs',
  'Agent runs': 'Goals that run as durable jobs',
  Billing: 'Keys, receipts and usage',
  Management: 'Keys, budgets, customers, members and usage of an account, for its programs: with a management key',
  Catalog: 'What can be called, and what it costs',
  MCP: 'Tools for clients of the Model Context Protocol',
  Files: 'Files that tools made',
}

function errorResponse(name: string): oas31.ResponseObject {
  const [, schema = '', status = ''] = /^(\D+)(\d+)$/.exec(name) ?? []
  const isRetried = RETRIED.has(Number(status))
  return {
    description: describeStatus(Number(status)),
    headers: headersNamed([...COMMON_HEADERS, ...(isRetried ? (['Retry-After'] as const) : [])]),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

/** Any value of a JSON document, each of its records passed through `replace`. */
function mapRecords(
  value: unknown,
  replace: (record: Record<string, unknown>, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapRecords(item, replace, name))
  if (!isRecord(value)) return value
  const mapped = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapRecords(inner, replace, key)]))
  return replace(mapped, name)
}

const SERVICE_REF = { $ref: '#/components/schemas/Service' }

/** Every billing block, wherever a procedure described it, is the one schema. */
const withNamedService = (record: Record<string, unknown>, name: string) =>
  name === 'service' && isRecord(record.properties) && 'credits_charged' in record.properties ? SERVICE_REF : record

const SCHEMA_REF = /"#\/components\/schemas\/([^"]+)"/g

/** Schemas that nothing refers to are left out. */
function withoutUnused(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const { schemas = {}, ...components } = document.components ?? {}
  const used = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(SCHEMA_REF)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name] ?? {})
    }
  }
  visit({ paths: document.paths, components })
  // The package adds "Output" to the names of shapes that accept more than they return.
  const nameOf = (name: string) => (used.has(name.replace(/Output$/, '')) ? name : name.replace(/Output$/, ''))
  const kept = Object.entries(schemas).flatMap(([name, schema]) => (used.has(name) ? [[nameOf(name), schema]] : []))
  const whole = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
  return JSON.parse(
    JSON.stringify(whole).replace(SCHEMA_REF, (_, name) => `"#/components/schemas/${nameOf(name)}"`),
  ) as oas31.OpenAPIObject
}

/** The integers of zod have the bounds of JavaScript, which say nothing. */
const withoutIntegerBounds = ({ minimum, maximum, ...record }: Record<string, unknown>) => ({
  ...record,
  ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
})

/** The shapes that have a name in the document: the shared ones, and the results of operations. */
function namedSchemas(operations: readonly RestOperation[]): Record<string, z.ZodType> {
  const named: Record<string, z.ZodType> = { ...NAMED_SCHEMAS }
  const known = new Set(Object.values(named))
  const add = (name: string, schema: z.ZodType) => {
    if (known.has(schema)) return
    known.add(schema)
    named[name] = schema
  }
  for (const operation of operations) {
    const { rest, output } = operation
    if (rest.schema && rest.schema !== QUERY_RESULT && output) add(rest.schema, output)
    for (const [status, body] of Object.entries(rest.bodies ?? {})) {
      if (body) add(successSchemaName(operation, status), body)
    }
  }
  return named
}

/** The REST operations as an OpenAPI 3.1 document, made from the procedures' own schemas. */
export async function openApiDocument(publicUrl: string): Promise<oas31.OpenAPIObject> {
  // Loaded when somebody asks: it is only for this document.
  const { generateOpenApiDocument } = await import('trpc-to-openapi')
  const operations = restOperations()
  const named = namedSchemas(operations)
  const read = generateOpenApiDocument<ProcedureMeta>(appRouter, {
    title: 'Tollgate',
    version: '1',
    description: 'Tools, chat models and agent runs behind one key, billed in credits.',
    contact: { name: 'Tollgate', url: publicUrl },
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    openApiVersion: '3.1.0',
    baseUrl: `${publicUrl}/api/v1`,
    securitySchemes: SECURITY_SCHEMES,
    defs: named,
  }) as oas31.OpenAPIObject
  const names: SchemaNames = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
  const paths: oas31.PathsObject = { ...otherOperations(publicUrl) }
  for (const operation of operations) {
    const { path } = operation.openapi
    const method = operation.openapi.method.toLowerCase() as 'get'
    const made = describeOperation(operation, read.paths?.[path]?.[method] ?? {}, names)
    paths[path] = { ...paths[path], [method]: made }
  }
  const errorNames = new Set([
    ...operations.flatMap((operation) => errorResponsesOf(operation).map(([, name]) => name)),
    ...OTHER_ERROR_STATUSES.map((status) => `Error${status}`),
  ])
  const used = new Set([...operations.flatMap(({ openapi }) => openapi.tags), 'MCP', 'Files', 'Catalog'])
  const document: oas31.OpenAPIObject = {
    ...read,
    externalDocs: { url: `${publicUrl}/api/v1/catalog?format=md`, description: 'The whole API as Markdown' },
    tags: [...used].sort((a, b) => a.localeCompare(b)).map((name) => ({ name, description: TAGS[name] ?? name })),
    security: EITHER_KEY,
    paths,
    components: {
      ...read.components,
      schemas: {
        ...read.components?.schemas,
        ...toolResultSchemas(),
        ...ERROR_SCHEMAS,
        ...OTHER_SCHEMAS,
        Service: ServiceSchema,
      },
      headers: HEADERS,
      parameters: HEADER_PARAMETERS,
      responses: Object.fromEntries([...errorNames].sort().map((name) => [name, errorResponse(name)])),
    },
  }
  const cleaned = mapRecords(document, (record, name) => withNamedService(withoutIntegerBounds(record), name))
  return withoutUnused(cleaned as oas31.OpenAPIObject)
}
