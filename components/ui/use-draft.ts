'use client'

import { type FormEvent, useEffect, useRef } from 'react'
import { quietly } from './quietly'

/**
 * Keeps what is typed into a text area in this tab, so that it is there again after a reload or
 * another page. `clear` forgets it once it was sent.
 */
export function useDraft(name: string) {
  const area = useRef<HTMLTextAreaElement>(null)
  const key = `draft ${name}`
  useEffect(() => {
    const kept = quietly(() => sessionStorage.getItem(key))
    if (kept && area.current?.value === '') area.current.value = kept
  }, [key])
  const onInput = ({ currentTarget: { value } }: FormEvent<HTMLTextAreaElement>) => {
    quietly(() => (value === '' ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)))
  }
  return { area: { ref: area, onInput }, clear: () => void quietly(() => sessionStorage.removeItem(key)) }
}
