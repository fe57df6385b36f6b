'use client'

import { createContext, type FormEvent, useContext, useRef, useState } from 'react'
import type { FormPlace, KeyFormValues } from './form-values'
import { type FormKey, type KeyFormErrors, parseKeyForm } from './parse-key-form'

type Of<T> = { [Field in keyof KeyFormValues]: KeyFormValues[Field] extends T ? Field : never }[keyof KeyFormValues]
type TextField = Of<string>
type BooleanField = Of<boolean>
type ListField = Of<string[]>

type Changed = { target: { value: string; checked?: boolean } }

/** A form about a key: values, errors once it was sent, and the properties of its inputs. */
export type KeyFormState = {
  values: KeyFormValues
  errors: KeyFormErrors
  set: (change: Partial<KeyFormValues>) => void
  text: (name: TextField) => { name: string; value: string; onChange: (event: Changed) => void }
  check: (name: BooleanField) => { name: string; checked: boolean; onChange: (event: Changed) => void }
  radio: <Field extends TextField>(
    name: Field,
    value: KeyFormValues[Field],
  ) => { type: 'radio'; name: string; checked: boolean; onChange: () => void }
  member: (name: ListField, value: string) => { type: 'checkbox'; name: string; checked: boolean; onChange: () => void }
}

const KeyFormContext = createContext<KeyFormState | null>(null)

export const KeyFormProvider = KeyFormContext.Provider

/** The form around a field. */
export function useKeyFields(): KeyFormState {
  const form = useContext(KeyFormContext)
  if (!form) throw new Error('not inside a form about a key')
  return form
}

/** Focuses the first field of a form that has an error. */
function focusFirst(form: HTMLFormElement, errors: KeyFormErrors): void {
  const field = [...form.elements].find(
    (element) => element instanceof HTMLElement && (element.getAttribute('name') ?? '') in errors,
  )
  if (field instanceof HTMLElement) field.focus()
}

type Options = { place: FormPlace; onSubmit: (key: FormKey) => void }

/**
 * The state of a form about a key. Its own few lines, because a form library takes 13 kB of a page
 * that has less than that left.
 */
export function useKeyForm(first: KeyFormValues, { place, onSubmit }: Options) {
  const [values, setValues] = useState(first)
  const [wasSent, setSent] = useState(false)
  const [refused, setRefused] = useState<KeyFormErrors>({})
  const element = useRef<HTMLFormElement>(null)
  const parsed = parseKeyForm(values, place)
  const set = (change: Partial<KeyFormValues>) => {
    setValues((now) => ({ ...now, ...change }))
    setRefused({})
  }
  const fields: KeyFormState = {
    values,
    errors: { ...refused, ...(wasSent && 'errors' in parsed && parsed.errors) },
    set,
    text: (name) => ({ name, value: values[name], onChange: ({ target }) => set({ [name]: target.value }) }),
    check: (name) => ({
      name,
      checked: values[name],
      onChange: ({ target }) => set({ [name]: target.checked === true }),
    }),
    radio: (name, value) => ({
      ...{ type: 'radio', name },
      checked: values[name] === value,
      onChange: () => set({ [name]: value }),
    }),
    member: (name, value) => ({
      ...{ type: 'checkbox', name },
      checked: values[name].includes(value),
      onChange: () =>
        set({
          [name]: values[name].includes(value) ? values[name].filter((one) => one !== value) : [...values[name], value],
        }),
    }),
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(true)
    if ('key' in parsed) onSubmit(parsed.key)
    else focusFirst(event.currentTarget, parsed.errors)
  }
  return {
    ...fields,
    parsed,
    fields,
    form: { ref: element, onSubmit: submit, noValidate: true },
    /** Begins again with other values. */
    reset: (to: KeyFormValues) => {
      setValues(to)
      setSent(false)
      setRefused({})
    },
    /** Shows errors that the service found, until something is changed. */
    refuse: (errors: KeyFormErrors) => {
      setRefused(errors)
      if (element.current) focusFirst(element.current, errors)
    },
  }
}
