import type { oas31 } from 'zod-openapi'
import { env } from '../../env'
import { lazy } from '../../kit/lazy'
import { isRecord } from '../../kit/record'
import type { ReferenceField, ReferenceOperation, ReferenceParameter } from '../shape'
import { operationCost } from './costs'
import { openApiDocument, TAGS } from './document'
import { exampleBody } from './examples'
import { printSchema, typesMentioned } from './print-schema'

const TAG_ORDER = Object.keys(TAGS)
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const

type Components = oas31.ComponentsObject
type Kind = 'parameters' | 'responses' | 'headers'

/** What a reference to a component stands for; anything else as it is. */
function resolve<T extends object>(value: T | oas31.ReferenceObject, kind: Kind, components: Components): T {
  if (!('$ref' in value)) return value
  return components[kind]?.[value.$ref.split('/').at(-1) ?? ''] as T
}

const withDefault = (description = '', schema: unknown): string => {
  const isPlain = isRecord(schema) && ['string', 'number', 'boolean'].includes(typeof schema.default)
  const sentence = description && !/[.!?]$/.test(description) ? `${description}.` : description
  return isPlain ? `${sentence} Default: ${schema.default}.`.trim() : description
}

function parameterOf(
  given: oas31.ParameterObject | oas31.ReferenceObject,
  components: Components,
): ReferenceParameter[] {
  const { name, in: place, required = false, description, schema = {} } = resolve(given, 'parameters', components)
  if (place === 'cookie') return []
  return [{ name, in: place, required, type: printSchema(schema), description: withDefault(description, schema) }]
}

function fieldsOf(schema: unknown): ReferenceField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    type: printSchema(field),
    required: required.includes(name),
    description: withDefault(isRecord(field) ? String(field.description ?? '') : '', field),
  }))
}

function bodyOf(id: string, { requestBody }: oas31.OperationObject): ReferenceOperation['body'] {
  if (!requestBody || '$ref' in requestBody) return null
  const schema = requestBody.content['application/json']?.schema
  const description = (isRecord(schema) && String(schema.description ?? '')) || requestBody.description || ''
  return { fields: fieldsOf(schema), description, example: exampleBody(id) ?? {} }
}

function responsesOf({ responses = {} }: oas31.OperationObject, components: Components) {
  const all = Object.entries(responses).map(([status, given]) => {
    const { description, content = {} } = resolve<oas31.ResponseObject>(given, 'responses', components)
    const schema = content['application/json']?.schema
    return { status, description, type: schema ? printSchema(schema) : null }
  })
  const isSuccess = ({ status }: { status: string }) => Number(status) < 400
  return {
    successes: all.filter(isSuccess),
    errors: all.filter((one) => !isSuccess(one)).map(({ status, description }) => ({ status, description })),
  }
}

function successSchemas({ responses = {} }: oas31.OperationObject): unknown[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([, response]) => response)
}

/** Whether no key is needed: an empty requirement is one of the choices, or there are none. */
const isOpen = (security: oas31.SecurityRequirementObject[] | undefined): boolean =>
  security?.every((one) => Object.keys(one).length > 0) === false || security?.length === 0

async function makeReference(): Promise<ReferenceOperation[]> {
  const { paths = {}, components = {} } = await openApiDocument(env().PUBLIC_URL)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): ReferenceOperation[] => {
      const operation = item[method]
      if (!operation?.operationId) return []
      const { operationId: id, summary = '', description = '', parameters = [], tags = [], security } = operation
      const { servers = item.servers } = operation
      return [
        {
          id,
          method: method.toUpperCase(),
          path: `${servers ? '' : '/api/v1'}${path}`,
          tag: tags[0] ?? 'Other',
          summary,
          description: description
            .replace(summary, '')
            .replace(/^\. /, '')
            .replace(/Free\.$/, '')
            .trim(),
          needsKey: !isOpen(security),
          cost: operationCost(id),
          parameters: parameters.flatMap((given) => parameterOf(given, components)),
          body: bodyOf(id, operation),
          ...responsesOf(operation, components),
          types: typesMentioned([operation.requestBody, ...successSchemas(operation)], components.schemas ?? {}),
        },
      ]
    }),
  )
  return operations.sort((a, b) => TAG_ORDER.indexOf(a.tag) - TAG_ORDER.indexOf(b.tag))
}

const reference = lazy(makeReference)

/**
 * The operations as the reference of the documentation shows them, made from the OpenAPI document
 * once: it takes some hundred milliseconds.
 */
export const readReference = (): Promise<ReferenceOperation[]> => reference()
