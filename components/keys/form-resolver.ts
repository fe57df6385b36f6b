import type { Resolver } from 'react-hook-form'
import type { FormPlace, KeyFormValues } from './form-values'
import { type FormKey, parseKeyForm } from './parse-key-form'

/** The form's rules in the shape of the form library. */
export const keyFormResolver =
  (place: FormPlace): Resolver<KeyFormValues, unknown, FormKey> =>
  (values) => {
    const result = parseKeyForm(values, place)
    if ('key' in result) return { values: result.key, errors: {} }
    const errors = Object.entries(result.errors).map(([field, message]) => [field, { type: 'invalid', message }])
    return { values: {}, errors: Object.fromEntries(errors) }
  }
