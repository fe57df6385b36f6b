import type { LeastRole } from '@/server/accounts/shape'

/** `go`: the key that follows g to go there; `least`: the role that its page asks for. */
export type NavigationItem = { href: string; label: string; go: string; least: LeastRole }

/** In the order of the navigation. */
const NAVIGATION_ITEMS = [
  { href: '/overview', label: 'Overview', go: 'o', least: 'viewer' },
  { href: '/keys', label: 'Keys', go: 'k', least: 'viewer' },
  { href: '/jobs', label: 'Jobs', go: 'j', least: 'viewer' },
  { href: '/library', label: 'Library', go: 'l', least: 'viewer' },
  { href: '/usage', label: 'Usage', go: 'u', least: 'member' },
  { href: '/budgets', label: 'Budgets', go: 'b', least: 'member' },
  { href: '/credits', label: 'Credits', go: 'c', least: 'billing' },
  { href: '/catalog', label: 'Catalog', go: 't', least: 'member' },
  { href: '/models', label: 'Models', go: 'm', least: 'member' },
  { href: '/playground', label: 'Playground', go: 'p', least: 'developer' },
  { href: '/connect', label: 'Connect', go: 'n', least: 'developer' },
  { href: '/docs', label: 'Docs', go: 'd', least: 'member' },
  { href: '/settings', label: 'Settings', go: 's', least: 'member' },
] as const

const OPERATORS = { href: '/operators', label: 'Operators', go: 'a', least: 'member' } as const

export type NavigationHref = (typeof NAVIGATION_ITEMS)[number]['href'] | typeof OPERATORS.href

/** Who looks at the dashboard: which roles they come up to, and whether they are an operator. */
export type Viewer = { isAdmin: boolean; may: readonly LeastRole[] }

/** The pages of a member: those who operate the instance have one more. */
export const navigationItems = ({ isAdmin, may }: Viewer): readonly (NavigationItem & { href: NavigationHref })[] =>
  [...NAVIGATION_ITEMS, ...(isAdmin ? [OPERATORS] : [])].filter(({ least }) => may.includes(least))

/** Pages that ask for another role than the page above them; the first that fits counts. */
const PAGE_ROLES: readonly (readonly [path: RegExp, least: LeastRole])[] = [
  [/^\/keys\/new-management$/, 'admin'],
  [/^\/budgets\/(new|.*\/edit)$/, 'admin'],
  [/^\/(keys|jobs|jobs\/schedules)\/(new|.*\/edit)$/, 'developer'],
  [/^\/usage\/refused$/, 'viewer'],
  [/^\/settings\/webhooks$/, 'developer'],
  [/^\/settings\/(agents|audit)$/, 'admin'],
]

/** The least role that a page of the dashboard asks for. */
export function minRoleOf(path: string): LeastRole {
  const special = PAGE_ROLES.find(([of]) => of.test(path))
  return (
    special?.[1] ?? NAVIGATION_ITEMS.find(({ href }) => path === href || path.startsWith(`${href}/`))?.least ?? 'member'
  )
}
