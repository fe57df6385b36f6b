import { asSchema, type JsonSchema } from '../../kit/json-schema'

/**
 * What a definition says beside its texts, and a refusal says again: patterns and lengths, and that
 * other keys are refused. Models do not need them, and would be sent them at every step.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'multipleOf',
  'additionalProperties',
  'propertyNames',
  'allOf',
])

/** A schema of parameters as models are sent it: names, types, choices, ranges and texts. */
export function modelSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([key]) => !LEFT_OUT.has(key))
  const slim = Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') return [key, mapValues(withoutAliases(value as Properties), modelSchema)]
      if (key === 'items') return [key, modelSchema(asSchema(value as JsonSchema['items']))]
      if (key === 'anyOf' || key === 'oneOf') return [key, (value as JsonSchema[]).map((one) => modelSchema(one))]
      return [key, value]
    }),
  ) as JsonSchema
  return schema.multipleOf === 1 && schema.type === 'number' ? { ...slim, type: 'integer' } : slim
}

type Properties = Record<string, JsonSchema>

/** A second name of a parameter, which is for programs: its text says so. */
const ALIAS = /\bthe same as (after|page|continuationToken)$/i

const withoutAliases = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, { description }]) => !ALIAS.test(String(description ?? ''))))

const mapValues = <T, R>(record: Record<string, T>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
