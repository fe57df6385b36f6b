'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '../ui/cn'

/** The pages of operators, each with the paths below it. */
const OPERATOR_TABS = [
  { href: '/operators', label: 'Owners', below: ['/operators/owners', '/operators/requests'] },
  { href: '/operators/traffic', label: 'Traffic', below: [] },
  { href: '/operators/providers', label: 'Providers', below: [] },
  { href: '/operators/models', label: 'Models and prices', below: [] },
  { href: '/operators/settings', label: 'Settings', below: [] },
  { href: '/operators/holds', label: 'Reserved credits', below: [] },
  { href: '/operators/runs', label: 'Workers and runs', below: ['/operators/runs'] },
  { href: '/operators/log', label: 'Log', below: [] },
] as const

const isIn = (path: string, { href, below }: (typeof OPERATOR_TABS)[number]) =>
  path === href || below.some((part) => path.startsWith(`${part}/`))

/** Links to the pages of operators; they wrap where the screen is narrow. */
export function OperatorTabs() {
  const path = usePathname()
  return (
    <nav aria-label="Operators" className="mb-6 flex flex-wrap gap-x-5 border-b">
      {OPERATOR_TABS.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={isIn(path, tab) ? 'page' : undefined}
          className={cn(
            '-mb-px border-b-2 border-transparent px-0.5 py-2 text-table font-medium whitespace-nowrap text-muted hover:text-text',
            isIn(path, tab) && 'border-accent text-text',
          )}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
