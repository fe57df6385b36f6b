import {
  Blocks,
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Plug,
  ReceiptText,
  Settings,
  Wrench,
} from 'lucide-react'

export type NavigationItem = { href: string; label: string; icon: LucideIcon }

/** The pages of the dashboard, in the order of the navigation. */
export const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { href: '/overview', label: 'Overview', icon: ChartNoAxesColumn },
  { href: '/keys', label: 'Keys', icon: KeyRound },
  { href: '/jobs', label: 'Jobs', icon: Bot },
  { href: '/usage', label: 'Usage', icon: ReceiptText },
  { href: '/catalog', label: 'Catalog', icon: Wrench },
  { href: '/models', label: 'Models', icon: Blocks },
  { href: '/playground', label: 'Playground', icon: MessagesSquare },
  { href: '/connect', label: 'Connect', icon: Plug },
  { href: '/docs', label: 'Docs', icon: BookOpen },
  { href: '/settings', label: 'Settings', icon: Settings },
]
