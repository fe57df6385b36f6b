import { minRoleOf, navigationItems, type Viewer } from './navigation-items'
import type { RecentItem } from './recent'

/** Something the search opens. `href` `?` is the list of shortcuts. */
export type CommandItem = RecentItem & { keys?: readonly string[] }
export type CommandGroup = { title: string; items: CommandItem[] }

/** Titles of what the server finds, in their order. */
const TITLES: Record<string, string> = {
  receipt: 'Receipts',
  job: 'Jobs',
  key: 'Keys',
  tool: 'Tools',
  model: 'Models',
}

const page = (label: string, href: string, note = '', keys?: readonly string[]): CommandItem => ({
  kind: 'page',
  label,
  note,
  href,
  keys,
})

const BEGINNINGS = [
  page('Create key', '/keys/new'),
  page('Start run', '/jobs/new'),
  page('Schedules', '/jobs/schedules'),
  page('Create schedule', '/jobs/schedules/new'),
  page('Members', '/settings/members'),
]

/** The pages of the dashboard, and what can be begun on them. */
export const pageCommands = (viewer: Viewer): CommandItem[] => [
  ...navigationItems(viewer).map(({ label, href, go }) => page(label, href, '', ['g', go])),
  ...BEGINNINGS.filter(({ href }) => viewer.may.includes(minRoleOf(href))),
  page('API reference', '/docs/reference'),
  page('Keyboard shortcuts', '?', '', ['?']),
]

/** The lists that search among all that an owner has, which the search itself does not. */
const listCommands = (typed: string, pages: readonly CommandItem[]): CommandItem[] =>
  ['Jobs', 'Keys']
    .map((list) => page(`${list} with “${typed}”`, `/${list.toLowerCase()}`))
    .filter(({ href }) => pages.some((open) => open.href === href))
    .map((list) => ({ ...list, href: `${list.href}?q=${encodeURIComponent(typed)}` }))

type Asked = {
  typed: string
  pages: readonly CommandItem[]
  recent: readonly RecentItem[]
  found: readonly RecentItem[]
}

/** What the search shows: before anything was typed, what was opened last, and pages. */
export function commandGroups({ typed, pages, recent, found }: Asked): CommandGroup[] {
  const words = typed.toLowerCase().split(' ')
  const shown = pages.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const kinds = Object.entries(TITLES).map(([kind, title]) => ({
    title,
    items: found.filter((item) => item.kind === kind),
  }))
  return [
    { title: 'Recent', items: typed ? [] : [...recent] },
    { title: 'Pages', items: shown },
    ...kinds,
    { title: 'Lists', items: typed ? listCommands(typed, pages) : [] },
  ].filter(({ items }) => items.length > 0)
}

/** The option that a key moves to, of `count`; null for other keys. */
export function optionAfter(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return at + 1 < count ? at + 1 : 0
  if (key === 'ArrowUp') return at > 0 ? at - 1 : Math.max(0, count - 1)
  if (key === 'PageDown') return Math.max(0, Math.min(count - 1, at + 8))
  return key === 'PageUp' ? Math.max(0, at - 8) : null
}
