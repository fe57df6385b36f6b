'use client'

import { useFormContext } from 'react-hook-form'
import { Field, Input } from '../ui/field'
import type { KeyFormValues } from './form-values'

/** A key's name and tags. */
export function NameFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { register, formState } = useFormContext<KeyFormValues>()
  const { errors } = formState
  return (
    <>
      <Field label="Name" hint="Who or what will use the key" error={errors.name?.message}>
        {(control) => (
          <Input {...control} {...register('name')} maxLength={80} autoComplete="off" autoFocus={autoFocus} />
        )}
      </Field>
      <Field label="Tags" hint="Words to find the key by, separated by commas" error={errors.tags?.message}>
        {(control) => <Input {...control} {...register('tags')} maxLength={900} autoComplete="off" />}
      </Field>
    </>
  )
}
