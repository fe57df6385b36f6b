import { Input, Field as Labelled, Select } from '../ui/field'
import { FormFieldName } from './field-name'
import type { FormField, FormFieldProps } from './form-fields'
import { MultiChoiceInput } from './multi-choice-input'

const AREA =
  'block w-full min-w-0 resize-y rounded border border-line-strong bg-raised px-2.5 py-1.5 placeholder:text-muted aria-invalid:border-bad'

/** What an empty field says: what holds then. */
const unset = ({ fallback, required }: FormField) => (required ? 'Choose' : fallback === null ? 'not set' : fallback)

const YES_NO: Record<string, string> = { true: 'yes', false: 'no' }

/** One parameter to fill in, with its type, its description, and what is wrong with it. */
export function FormFieldInput({ of, value, error, onChange }: FormFieldProps) {
  if (of.kind === 'many') return <MultiChoiceInput of={of} value={value} error={error} onChange={onChange} />
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  return (
    <Labelled
      label={<FormFieldName of={of} />}
      hint={of.kind === 'list' ? `One a line. ${of.description}` : of.description}
      error={error}
    >
      {(told) => {
        switch (of.kind) {
          case 'flag':
          case 'choice': {
            const isFlag = of.kind === 'flag'
            const empty = unset(of)
            return (
              <Select {...told} value={value} onChange={change}>
                <option value="">
                  {isFlag ? (YES_NO[empty] ?? empty) : empty}
                  {of.fallback !== null && ' (default)'}
                </option>
                {(isFlag ? Object.keys(YES_NO) : of.options).map((option) => (
                  <option key={option} value={option}>
                    {isFlag ? YES_NO[option] : option}
                  </option>
                ))}
              </Select>
            )
          }
          case 'list':
            return (
              <textarea
                {...told}
                rows={2}
                value={value}
                onChange={change}
                placeholder={of.fallback ?? ''}
                className={AREA}
              />
            )
          case 'json':
            return (
              <textarea
                {...told}
                rows={4}
                value={value}
                onChange={change}
                spellCheck={false}
                placeholder={of.fallback ?? (of.objectOnly ? '{ }' : '')}
                className={`${AREA} num`}
              />
            )
          case 'number':
            return (
              <Input
                {...told}
                inputMode={of.whole ? 'numeric' : 'decimal'}
                autoComplete="off"
                value={value}
                onChange={change}
                placeholder={of.fallback ?? ''}
              />
            )
          case 'text':
            return of.long ? (
              <textarea
                {...told}
                rows={3}
                value={value}
                onChange={change}
                placeholder={of.fallback ?? ''}
                className={AREA}
              />
            ) : (
              <Input
                {...told}
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={change}
                placeholder={of.fallback ?? ''}
              />
            )
          default:
            return of satisfies never
        }
      }}
    </Labelled>
  )
}
