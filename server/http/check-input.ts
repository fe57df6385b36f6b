import { z } from 'zod'
import { inputSchemaAt } from '../api/operations'
import { invalidRequest } from '../errors'

/** Values of a body from which its validation ends with the first that is wrong. */
const MANY_VALUES = 500

/** zod takes this where it only says whether a value is valid; its type keeps it inside. */
const UP_TO_FIRST = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

/**
 * Validates the input of a procedure up to what is wrong first, where a list of every wrong value
 * could be long: making that list costs far more than reading the body. Throws `invalid_request`.
 */
export function checkLargeInput(path: string, value: unknown, values: number): void {
  if (values < MANY_VALUES) return
  const schema = inputSchemaAt(path)
  const checked = schema && z.safeParse(schema, value, UP_TO_FIRST)
  if (checked?.error) throw invalidRequest(checked.error.issues)
}
