import type { ComponentProps } from 'react'
import { Field, Input } from './field'

type Props = Omit<ComponentProps<'input'>, 'type'> & { name: string; label: string; hint?: string }

/** A field for a whole number; `min`, `max`, `required` and the rest are the input's. */
export const NumberField = ({ label, hint, ...input }: Props) => (
  <Field label={label} hint={hint}>
    {(control) => <Input step={1} {...input} {...control} type="number" />}
  </Field>
)
