import type { Resolver } from 'react-hook-form'
import type { NewKey } from '@/server/keys/shape'
import { type KeyFormValues, parseKeyForm } from './form-values'

/** The form's rules in the shape of the form library. */
export const keyFormResolver: Resolver<KeyFormValues, unknown, NewKey> = (values) => {
  const result = parseKeyForm(values)
  if ('key' in result) return { values: result.key, errors: {} }
  const errors = Object.entries(result.errors).map(([field, message]) => [field, { type: 'invalid', message }])
  return { values: {}, errors: Object.fromEntries(errors) }
}
