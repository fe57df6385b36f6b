'use client'

import { useEffect, useState } from 'react'
import { dropDraft, keepDraft, readDraft } from '../ui/draft-store'
import type { KeyFormValues } from './form-values'

/** What was typed, and the values it began with: a draft of what has changed since is dropped. */
type Kept = { began: string; values: KeyFormValues }

type DraftedForm = { values: KeyFormValues; reset: (to: KeyFormValues) => void }

/**
 * Keeps the values of a form in this tab, so that they are there again after a reload or another
 * page. `isRestored` says that they came from there; `discard` returns to what the form began with,
 * `forget` drops the draft once the form was sent.
 */
export function useFormDraft(name: string, { values, reset }: DraftedForm, first: KeyFormValues) {
  const [isRestored, setRestored] = useState(false)
  const began = JSON.stringify(first)
  const now = JSON.stringify(values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is restored once, when the page is there
  useEffect(() => {
    const kept = readDraft(name, (text) => JSON.parse(text) as Kept | null)
    if (kept?.began !== began) return
    reset(kept.values)
    setRestored(true)
  }, [name])
  useEffect(() => {
    if (now !== began) keepDraft(name, `{"began":${JSON.stringify(began)},"values":${now}}`)
  }, [name, now, began])
  const forget = () => dropDraft(name)
  return {
    isRestored,
    forget,
    discard: () => {
      forget()
      reset(first)
      setRestored(false)
    },
  }
}
