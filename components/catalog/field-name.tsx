import type { FormField } from './form-fields'

/** A parameter's name, its type where the control does not show it, and whether it is required. */
export const FormFieldName = ({ field }: { field: FormField }) => (
  <span className="inline-flex flex-wrap items-baseline gap-x-2">
    <span className="num">{field.name}</span>
    {field.kind !== 'choice' && field.kind !== 'many' && (
      <span className="num text-caption font-normal text-muted">{field.type}</span>
    )}
    {field.required && <span className="text-caption font-normal text-accent">required</span>}
  </span>
)
