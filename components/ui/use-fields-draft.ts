'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { dropDraft, keepDraft, readDraft } from './draft-store'
import { changesToDraft, draftOfFields, type FieldsDraft, parseFieldsDraft } from './fields-draft'
import { type TextControl, typeInto } from './type-into'

/** How often fields are filled in again: those that another one's value makes appear come later. */
const PASSES = 3

const controlsOf = (form: HTMLFormElement): TextControl[] =>
  [...form.elements].filter(
    (el): el is TextControl =>
      el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement,
  )

function fillIn(form: HTMLFormElement, draft: FieldsDraft): boolean {
  const changes = changesToDraft(controlsOf(form), draft)
  for (const { field, set } of changes) {
    if (set === 'click') field.click()
    else typeInto(field, set)
  }
  return changes.length > 0
}

/**
 * Keeps what is typed and chosen in a form's named fields in this tab, and fills it in again after
 * a reload or another page. No passwords. `clear` forgets it once it was sent; without a name
 * nothing is kept.
 */
export function useFieldsDraft(name: string | null) {
  const form = useRef<HTMLFormElement>(null)
  const [isRestored, setRestored] = useState(false)
  useEffect(() => {
    const draft = name === null ? null : readDraft(name, parseFieldsDraft)
    if (!draft) return
    let frame = 0
    let passes = 0
    const pass = () => {
      if (form.current && fillIn(form.current, draft)) setRestored(true)
      passes += 1
      if (passes < PASSES) frame = requestAnimationFrame(pass)
    }
    pass()
    return () => cancelAnimationFrame(frame)
  }, [name])
  const keep = useCallback(() => {
    const shown = form.current
    if (name !== null && shown) keepDraft(name, JSON.stringify(draftOfFields(controlsOf(shown))))
  }, [name])
  const clear = useCallback(() => {
    if (name !== null) dropDraft(name)
  }, [name])
  const discard = () => {
    clear()
    // The fields belong to whoever drew them: only a new page has all of them as they began.
    window.location.reload()
  }
  return { form: { ref: form, onInput: keep }, isRestored, clear, discard }
}
