/** `go`: the key that follows g to go there. */
export type NavigationItem = { href: string; label: string; go: string }

/** In the order of the navigation. */
const NAVIGATION_ITEMS = [
  { href: '/overview', label: 'Overview', go: 'o' },
  { href: '/keys', label: 'Keys', go: 'k' },
  { href: '/jobs', label: 'Jobs', go: 'j' },
  { href: '/usage', label: 'Usage', go: 'u' },
  { href: '/budgets', label: 'Budgets', go: 'b' },
  { href: '/credits', label: 'Credits', go: 'c' },
  { href: '/catalog', label: 'Catalog', go: 't' },
  { href: '/models', label: 'Models', go: 'm' },
  { href: '/playground', label: 'Playground', go: 'p' },
  { href: '/connect', label: 'Connect', go: 'n' },
  { href: '/docs', label: 'Docs', go: 'd' },
  { href: '/settings', label: 'Settings', go: 's' },
] as const

const OPERATORS = { href: '/operators', label: 'Operators', go: 'a' } as const

export type NavigationHref = (typeof NAVIGATION_ITEMS)[number]['href'] | typeof OPERATORS.href

/** The pages of an owner: those who operate the instance have one more. */
export const navigationItems = (isAdmin: boolean): readonly (NavigationItem & { href: NavigationHref })[] =>
  isAdmin ? [...NAVIGATION_ITEMS, OPERATORS] : NAVIGATION_ITEMS
