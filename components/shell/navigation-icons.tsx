import {
  Blocks,
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  CreditCard,
  Gauge,
  KeyRound,
  Library,
  type LucideIcon,
  MessagesSquare,
  Plug,
  ReceiptText,
  Settings,
  ShieldUser,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { NavigationHref } from './navigation-items'

const ICONS: Record<NavigationHref, LucideIcon> = {
  '/overview': ChartNoAxesColumn,
  '/keys': KeyRound,
  '/budgets': Gauge,
  '/jobs': Bot,
  '/library': Library,
  '/usage': ReceiptText,
  '/credits': CreditCard,
  '/catalog': Wrench,
  '/models': Blocks,
  '/playground': MessagesSquare,
  '/connect': Plug,
  '/docs': BookOpen,
  '/settings': Settings,
  '/operators': ShieldUser,
}

/** The icon of each page, drawn on the server, so that no page's script carries them. */
export const navigationIcons = (): Record<NavigationHref, ReactNode> =>
  Object.fromEntries(
    Object.entries(ICONS).map(([href, Icon]) => [href, <Icon key={href} className="size-4 shrink-0" aria-hidden />]),
  ) as Record<NavigationHref, ReactNode>
