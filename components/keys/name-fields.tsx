'use client'

import { Field, Input } from '../ui/field'
import { useKeyFields } from './use-key-form'

/** A key's name and tags. */
export function NameFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { text, errors } = useKeyFields()
  return (
    <>
      <Field label="Name" hint="Who or what will use the key" error={errors.name}>
        {(control) => <Input {...control} {...text('name')} maxLength={80} autoComplete="off" autoFocus={autoFocus} />}
      </Field>
      <Field label="Tags" hint="Words to find the key by, separated by commas" error={errors.tags}>
        {(control) => <Input {...control} {...text('tags')} maxLength={900} autoComplete="off" />}
      </Field>
    </>
  )
}
