import { useId } from 'react'
import { FormFieldName } from './field-name'
import type { FormField, FormFieldProps } from './form-fields'
import { splitLines } from './form-values'

type Props = Omit<FormFieldProps, 'of'> & { of: Extract<FormField, { kind: 'many' }> }

/** A choice of several, each to tick. */
export function MultiChoiceInput({ of, value, error, onChange }: Props) {
  const id = useId()
  const chosen = splitLines(value)
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]).join('\n'))
  return (
    <fieldset aria-describedby={id} data-wrong={error ? true : undefined} className="grid min-w-0 content-start gap-1">
      <legend className="mb-1 text-table font-medium">
        <FormFieldName of={of} />
      </legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {of.options.map(String).map((option) => (
          <label key={option} className="flex min-h-7 items-center gap-2">
            <input
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
        {error ?? of.description}
      </p>
    </fieldset>
  )
}
