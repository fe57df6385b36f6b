import { Field, Input, Select, Textarea } from '../ui/field'
import { FormFieldName } from './field-name'
import type { FormField, FormFieldProps } from './form-fields'
import { MultiChoiceInput } from './multi-choice-input'

/** The text of an empty choice: the value that applies then. */
const emptyLabel = ({ fallback, required }: FormField) =>
  required ? 'Choose' : fallback === null ? 'not set' : fallback

const YES_NO: Record<string, string> = { true: 'yes', false: 'no' }

/** One parameter to fill in, with its type, its description and its error. */
export function FormFieldInput({ field, value, error, onChange }: FormFieldProps) {
  if (field.kind === 'many') return <MultiChoiceInput field={field} value={value} error={error} onChange={onChange} />
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  return (
    <Field
      label={<FormFieldName field={field} />}
      hint={field.kind === 'list' ? `One per line. ${field.description}` : field.description}
      error={error}
    >
      {(control) => {
        switch (field.kind) {
          case 'flag':
          case 'choice': {
            const isFlag = field.kind === 'flag'
            const empty = emptyLabel(field)
            return (
              <Select {...control} value={value} onChange={change}>
                <option value="">
                  {isFlag ? (YES_NO[empty] ?? empty) : empty}
                  {field.fallback !== null && ' (default)'}
                </option>
                {(isFlag ? Object.keys(YES_NO) : field.options).map((option) => (
                  <option key={option} value={option}>
                    {isFlag ? YES_NO[option] : option}
                  </option>
                ))}
              </Select>
            )
          }
          case 'list':
            return <Textarea {...control} rows={2} value={value} onChange={change} placeholder={field.fallback ?? ''} />
          case 'json':
            return (
              <Textarea
                {...control}
                rows={4}
                value={value}
                onChange={change}
                spellCheck={false}
                placeholder={field.fallback ?? (field.objectOnly ? '{ }' : '')}
                className="num"
              />
            )
          case 'number':
            return (
              <Input
                {...control}
                inputMode={field.whole ? 'numeric' : 'decimal'}
                autoComplete="off"
                value={value}
                onChange={change}
                placeholder={field.fallback ?? ''}
              />
            )
          case 'text':
            return field.long ? (
              <Textarea {...control} rows={3} value={value} onChange={change} placeholder={field.fallback ?? ''} />
            ) : (
              <Input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={change}
                placeholder={field.fallback ?? ''}
              />
            )
          default:
            return field satisfies never
        }
      }}
    </Field>
  )
}
