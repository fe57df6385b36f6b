'use client'

import { type FormEvent, useEffect, useRef } from 'react'
import { dropDraft, keepDraft, readDraft } from './draft-store'

/**
 * Keeps what is typed into a text area in this tab, so that it is there again after a reload or
 * another page. `clear` forgets it once it was sent.
 */
export function useDraft(name: string) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const kept = readDraft(name, (text) => text)
    if (kept && area.current?.value === '') area.current.value = kept
  }, [name])
  const onInput = ({ currentTarget: { value } }: FormEvent<HTMLTextAreaElement>) =>
    value === '' ? dropDraft(name) : keepDraft(name, value)
  return { area: { ref: area, onInput }, clear: () => dropDraft(name) }
}
