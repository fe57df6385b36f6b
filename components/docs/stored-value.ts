import { useSyncExternalStore } from 'react'

/** What the browser keeps for a tab or for good. It throws where storage is forbidden. */
type StorageOf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

type StoredValue = {
  read: () => string
  store: (value: string) => void
  subscribe: (listener: () => void) => () => void
}

/**
 * A text that every reader of this page sees change, kept in a storage under a name. Empty: none is
 * kept. Where storage is forbidden it lasts as long as the page.
 */
export function makeStoredValue(storage: StorageOf, name: string): StoredValue {
  const listeners = new Set<() => void>()
  let kept = ''
  const read = () => {
    try {
      return storage().getItem(name) ?? kept
    } catch {
      return kept
    }
  }
  const store = (value: string) => {
    kept = value
    try {
      if (value) storage().setItem(name, value)
      else storage().removeItem(name)
    } catch {
      // Kept in memory.
    }
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { read, store, subscribe }
}

const language = makeStoredValue(() => localStorage, 'docs-language')
const key = makeStoredValue(() => sessionStorage, 'docs-key')

const useStored = ({ read, store, subscribe }: StoredValue): [string, (value: string) => void] => [
  useSyncExternalStore(subscribe, read, () => ''),
  store,
]

/** The language that the reader chose on any example, and how to choose another. */
export const useLanguage = () => useStored(language)

/**
 * The key that requests of the documentation are sent with, in this tab until it is closed, and how
 * to change it.
 */
export const useStoredKey = () => useStored(key)
