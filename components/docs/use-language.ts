'use client'

import { useSyncExternalStore } from 'react'

const STORED_AS = 'docs-language'

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Storage can be forbidden; the choice then lasts as long as the page. */
let chosen: string | null = null

function readLanguage(): string | null {
  try {
    return localStorage.getItem(STORED_AS) ?? chosen
  } catch {
    return chosen
  }
}

function storeLanguage(label: string): void {
  chosen = label
  try {
    localStorage.setItem(STORED_AS, label)
  } catch {
    // Kept in memory.
  }
  for (const listener of listeners) listener()
}

/** The language that the reader chose on any example, and how to choose another. */
export function useLanguage(): [string | null, (label: string) => void] {
  return [useSyncExternalStore(subscribe, readLanguage, () => null), storeLanguage]
}
