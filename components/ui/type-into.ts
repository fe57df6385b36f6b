/** What a person can type into or choose from. */
export type TextControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Sets a value as typing does, with the events that the field’s owner reacts to. */
export function typeInto(control: TextControl, value: string): void {
  if (control instanceof HTMLSelectElement && ![...control.options].some((option) => option.value === value)) return
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}
