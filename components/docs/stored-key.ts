'use client'

import { useSyncExternalStore } from 'react'

const STORED_AS = 'docs-key'

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where storage is forbidden, the key lasts as long as the page. */
let kept = ''

function readKey(): string {
  try {
    return sessionStorage.getItem(STORED_AS) ?? kept
  } catch {
    return kept
  }
}

function storeKey(key: string): void {
  kept = key
  try {
    if (key) sessionStorage.setItem(STORED_AS, key)
    else sessionStorage.removeItem(STORED_AS)
  } catch {
    // Kept in memory.
  }
  for (const listener of listeners) listener()
}

/**
 * The key that requests of the documentation are sent with, in this tab until it is closed, and how
 * to change it.
 */
export function useStoredKey(): [string, (key: string) => void] {
  return [useSyncExternalStore(subscribe, readKey, () => ''), storeKey]
}
