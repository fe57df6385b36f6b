'use client'

import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Whether a control has something else than the server wrote into the page. */
function wasChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const written = [...control.options].find((option) => option.defaultSelected)
    return written !== undefined && !written.selected
  }
  if (control instanceof HTMLInputElement) {
    const { type, checked, defaultChecked } = control
    if (type === 'checkbox') return checked !== defaultChecked
    if (type === 'radio') return checked && !defaultChecked
    if (type === 'file') return false
  }
  return control.value !== control.defaultValue
}

/** Enters once more what a control has, as if just now. */
function enterAgain(control: Control): void {
  if (control instanceof HTMLSelectElement) {
    control.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    control.checked = control.defaultChecked
    control.click()
  } else {
    const { value } = control
    control.value = control.defaultValue
    // React compares with what was last set on the element itself, and would see no change.
    const own = Object.getPrototypeOf(control) as object
    Object.getOwnPropertyDescriptor(own, 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/**
 * The ref for a control of a form, beside the one it was `given`. What somebody typed or chose
 * before the page's code was there, or what the browser kept over a reload, is shown in the control
 * but known to no component: it is entered again once the control has its code.
 */
export function useEarlyInput<C extends Control>(given: Ref<C> | undefined): Ref<C> {
  const control = useRef<C>(null)
  useImperativeHandle(given, () => control.current as C, [])
  useLayoutEffect(() => {
    // At once: a form that was sent early is answered by its code right after this.
    if (control.current && wasChanged(control.current)) enterAgain(control.current)
  }, [])
  return control
}
