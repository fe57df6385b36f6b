import { quietly } from './quietly'

const keyOf = (name: string): string => `draft ${name}`

/** What this tab keeps under a name, as `read` understands its text; null: nothing of use. */
export const readDraft = <T>(name: string, read: (text: string) => T | null): T | null =>
  quietly(() => {
    const text = sessionStorage.getItem(keyOf(name))
    return text === null ? null : read(text)
  })

/** Keeps a text under a name in this tab, where the browser allows it. */
export const keepDraft = (name: string, text: string): void =>
  void quietly(() => sessionStorage.setItem(keyOf(name), text))

export const dropDraft = (name: string): void => void quietly(() => sessionStorage.removeItem(keyOf(name)))
