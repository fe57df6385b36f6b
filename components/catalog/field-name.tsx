import type { FormField } from './form-fields'

/** A parameter's name, its type where the control does not show it, and whether it must be there. */
export const FormFieldName = ({ of }: { of: FormField }) => (
  <span className="inline-flex flex-wrap items-baseline gap-x-2">
    <span className="num">{of.name}</span>
    {of.kind !== 'choice' && of.kind !== 'many' && (
      <span className="num text-caption font-normal text-muted">{of.type}</span>
    )}
    {of.required && <span className="text-caption font-normal text-accent">required</span>}
  </span>
)
