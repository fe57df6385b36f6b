'use client'

import { type RefObject, useEffect } from 'react'
import { hasModifier, isTyping } from './is-typing'

/** The key `/` focuses a field of the page, and selects what is in it. */
export function useSlashFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || hasModifier(event) || isTyping(event.target)) return
      if (event.defaultPrevented || !field.current?.checkVisibility()) return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [field])
}
