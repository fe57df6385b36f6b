'use client'

import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { KeyFormValues } from './form-values'
import type { FormKey } from './parse-key-form'

/** A browser may keep nothing, such as in a private window: then a draft is only on its page. */
function quietly<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}

type KeyForm = UseFormReturn<KeyFormValues, unknown, FormKey>

/** What was typed, and the values it began with: a draft of what has changed since is dropped. */
type Kept = { began: string; values: KeyFormValues }

/**
 * Keeps the values of a form in this tab, so that they are there again after a reload or another
 * page. `isRestored` says that they came from there; `discard` returns to what the form began with,
 * `forget` drops the draft once the form was sent.
 */
export function useFormDraft(name: string, form: KeyForm, first: KeyFormValues) {
  const [isRestored, setRestored] = useState(false)
  const began = JSON.stringify(first)
  const storedAs = `draft ${name}`
  const { reset, subscribe } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a page begins with is read once
  useEffect(() => {
    const kept = quietly(() => JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') as Kept | null)
    if (kept?.began === began) {
      reset(kept.values, { keepDefaultValues: true })
      setRestored(true)
    }
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const isSame = JSON.stringify({ ...first, ...values }) === began
        quietly(() =>
          isSame
            ? sessionStorage.removeItem(storedAs)
            : sessionStorage.setItem(storedAs, JSON.stringify({ began, values } satisfies Kept)),
        )
      },
    })
  }, [storedAs])
  const forget = () => void quietly(() => sessionStorage.removeItem(storedAs))
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
