import { useId } from 'react'
import { PlainInput } from '../ui/field'
import { FormFieldName } from './field-name'
import type { FormField, FormFieldProps } from './form-fields'
import { splitLines } from './form-values'

type Props = Omit<FormFieldProps, 'field'> & { field: Extract<FormField, { kind: 'many' }> }

/** Checkboxes for a parameter that takes several of the listed values. */
export function MultiChoiceInput({ field, value, error, onChange }: Props) {
  const id = useId()
  const chosen = splitLines(value)
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]).join('\n'))
  return (
    <fieldset
      aria-describedby={id}
      data-invalid={error ? true : undefined}
      className="grid min-w-0 content-start gap-1"
    >
      <legend className="mb-1 text-table font-medium">
        <FormFieldName field={field} />
      </legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {field.options.map(String).map((option) => (
          <label key={option} className="flex min-h-7 items-center gap-2">
            <PlainInput
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={() => toggle(option)}
              className="size-4"
            />
            {option}
          </label>
        ))}
      </div>
      <p id={id} className={error ? 'text-caption text-bad' : 'text-caption text-muted'}>
        {error ?? field.description}
      </p>
    </fieldset>
  )
}
