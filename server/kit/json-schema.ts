import type { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** JSON Schema allows `true` and `false` as schemas: here both mean "anything". */
export const asSchema = (schema: JsonSchema['items']): JsonSchema =>
  typeof schema === 'object' && !Array.isArray(schema) ? schema : {}
