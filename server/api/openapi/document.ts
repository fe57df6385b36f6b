import type { oas31, ZodOpenApiComponentsObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { isRecord } from '../../kit/record'
import { restOperations } from '../operations'
import { ERROR_SCHEMAS, ServiceSchema } from './envelopes'
import { COMMON_HEADERS, HEADER_PARAMETERS, HEADERS, headersNamed } from './headers'
import { NAMED_SCHEMAS } from './named-schemas'
import { errorResponsesOf, operationObject } from './operation'
import { OTHER_ERROR_STATUSES, OTHER_SCHEMAS, otherOperations } from './other-operations'
import { EITHER_KEY, SECURITY_SCHEMES } from './security'
import { describeStatus, RETRIED } from './statuses'
import { toolResultSchemas } from './tool-results'

const TAGS: Record<string, string> = {
  Tools: 'Tools over REST',
  Chat: 'Chat models, in the wire formats of common SDKs',
  Embeddings: 'Vectors of texts, in the wire format of common SDKs',
  Images: 'Image engines, in the wire format of common SDKs',
  'Agent runs': 'Goals that run as durable jobs',
  Billing: 'Keys, receipts and usage',
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
function removeIntegerBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The REST operations as an OpenAPI 3.1 document, made from the procedures' own schemas. */
export async function openApiDocument(publicUrl: string): Promise<oas31.OpenAPIObject> {
  // Loaded when somebody asks: it is only for this document.
  const { createDocument } = await import('zod-openapi')
  const operations = restOperations()
  const results = toolResultSchemas()
  const paths: ZodOpenApiPathsObject = { ...otherOperations(publicUrl) }
  const schemas: NonNullable<ZodOpenApiComponentsObject['schemas']> = {
    ...NAMED_SCHEMAS,
    ...results,
    ...ERROR_SCHEMAS,
    ...OTHER_SCHEMAS,
    Service: ServiceSchema,
  }
  for (const operation of operations) {
    const { path, method } = operation.openapi
    const { schema } = operation.rest
    if (schema && !(schema in schemas) && operation.output) schemas[schema] = operation.output
    const made = operationObject(operation, new Set(Object.keys(results)))
    paths[path] = { ...paths[path], [method.toLowerCase()]: made }
  }
  const errorNames = new Set([
    ...operations.flatMap((operation) => errorResponsesOf(operation).map(([, name]) => name)),
    ...OTHER_ERROR_STATUSES.map((status) => `Error${status}`),
  ])
  const used = new Set([...operations.flatMap(({ openapi }) => openapi.tags), 'MCP', 'Files', 'Catalog'])
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate',
        version: '1',
        description: 'Tools, chat models and agent runs behind one key, billed in credits.',
        contact: { name: 'Tollgate', url: publicUrl },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: `${publicUrl}/api/v1` }],
      externalDocs: { url: `${publicUrl}/api/v1/catalog?format=md`, description: 'The whole API as Markdown' },
      tags: [...used].sort().map((name) => ({ name, description: TAGS[name] ?? name })),
      security: EITHER_KEY,
      paths,
      components: {
        schemas,
        headers: HEADERS as never,
        parameters: HEADER_PARAMETERS as never,
        responses: Object.fromEntries([...errorNames].sort().map((name) => [name, errorResponse(name)])) as never,
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: removeIntegerBounds },
  )
  return withoutUnused(mapRecords(document, withNamedService) as oas31.OpenAPIObject)
}
