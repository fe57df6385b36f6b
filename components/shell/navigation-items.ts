import {
  Blocks,
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  CreditCard,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Plug,
  ReceiptText,
  Settings,
  ShieldUser,
  Wrench,
} from 'lucide-react'

/** `go`: the key that follows g to go there. */
export type NavigationItem = { href: string; label: string; icon: LucideIcon; go: string }

/** In the order of the navigation. */
const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { href: '/overview', label: 'Overview', icon: ChartNoAxesColumn, go: 'o' },
  { href: '/keys', label: 'Keys', icon: KeyRound, go: 'k' },
  { href: '/jobs', label: 'Jobs', icon: Bot, go: 'j' },
  { href: '/usage', label: 'Usage', icon: ReceiptText, go: 'u' },
  { href: '/credits', label: 'Credits', icon: CreditCard, go: 'c' },
  { href: '/catalog', label: 'Catalog', icon: Wrench, go: 't' },
  { href: '/models', label: 'Models', icon: Blocks, go: 'm' },
  { href: '/playground', label: 'Playground', icon: MessagesSquare, go: 'p' },
  { href: '/connect', label: 'Connect', icon: Plug, go: 'n' },
  { href: '/docs', label: 'Docs', icon: BookOpen, go: 'd' },
  { href: '/settings', label: 'Settings', icon: Settings, go: 's' },
]

const OPERATORS: NavigationItem = { href: '/operators', label: 'Operators', icon: ShieldUser, go: 'a' }

/** The pages of an owner: those who operate the instance have one more. */
export const navigationItems = (isAdmin: boolean): readonly NavigationItem[] =>
  isAdmin ? [...NAVIGATION_ITEMS, OPERATORS] : NAVIGATION_ITEMS
