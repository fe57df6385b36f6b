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

export type NavigationItem = { href: string; label: string; icon: LucideIcon }

/** In the order of the navigation. */
const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { href: '/overview', label: 'Overview', icon: ChartNoAxesColumn },
  { href: '/keys', label: 'Keys', icon: KeyRound },
  { href: '/jobs', label: 'Jobs', icon: Bot },
  { href: '/usage', label: 'Usage', icon: ReceiptText },
  { href: '/credits', label: 'Credits', icon: CreditCard },
  { href: '/catalog', label: 'Catalog', icon: Wrench },
  { href: '/models', label: 'Models', icon: Blocks },
  { href: '/playground', label: 'Playground', icon: MessagesSquare },
  { href: '/connect', label: 'Connect', icon: Plug },
  { href: '/docs', label: 'Docs', icon: BookOpen },
  { href: '/settings', label: 'Settings', icon: Settings },
]

const OPERATORS: NavigationItem = { href: '/operators', label: 'Operators', icon: ShieldUser }

/** The pages of an owner: those who operate the instance have one more. */
export const navigationItems = (isAdmin: boolean): readonly NavigationItem[] =>
  isAdmin ? [...NAVIGATION_ITEMS, OPERATORS] : NAVIGATION_ITEMS
