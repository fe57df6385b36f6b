import { quietly } from '../ui/quietly'

/** Something that was opened with the search. */
export type RecentItem = { kind: string; label: string; note: string; href: string }

const MAX = 6
const nameOf = (owner: string) => `recent ${owner}`

const isRecent = (item: unknown): item is RecentItem =>
  typeof item === 'object' &&
  item !== null &&
  ['kind', 'label', 'note', 'href'].every((name) => typeof (item as Record<string, unknown>)[name] === 'string')

/** The list with an item at its beginning, once. */
export const withRecent = (list: readonly RecentItem[], item: RecentItem): RecentItem[] =>
  [item, ...list.filter(({ href }) => href !== item.href)].slice(0, MAX)

/** What an owner opened last in this browser. What is stored may be of another version. */
export function readRecent(owner: string): RecentItem[] {
  const stored: unknown = quietly(() => JSON.parse(localStorage.getItem(nameOf(owner)) ?? '[]'))
  return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MAX) : []
}

export const addRecent = (owner: string, item: RecentItem): void =>
  void quietly(() => localStorage.setItem(nameOf(owner), JSON.stringify(withRecent(readRecent(owner), item))))

/** Forgets what this browser keeps of its owners: what they opened, and what they did not send. */
export function forgetStored(): void {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    quietly(() => {
      for (const name of Object.keys(storage())) if (/^(recent|draft) /.test(name)) storage().removeItem(name)
    })
  }
}
