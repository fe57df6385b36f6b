import { z } from 'zod'

/**
 * The output of a procedure whose value was checked where it was made: anything passes, and the
 * OpenAPI document shows `shape`. Checking a large answer again would cost every call.
 */
export function describedOutput(shape: z.ZodType, description: string) {
  const { $schema, ...schema } = z.toJSONSchema(shape, { io: 'output' })
  return z
    .custom<Record<string, unknown>>(() => true)
    .meta({ description, override: ({ jsonSchema }) => void Object.assign(jsonSchema, schema) })
}
