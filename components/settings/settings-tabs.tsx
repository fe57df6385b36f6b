'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { minRoleOf } from '../shell/navigation-items'
import { useLevels } from '../shell/role'
import { cn } from '../ui/cn'

/** The tabs of the settings: each is a page. */
const SETTINGS_TABS = [
  { href: '/settings/agents', label: 'Agents' },
  { href: '/settings/webhooks', label: 'Webhooks' },
  { href: '/settings/notices', label: 'Notices' },
  { href: '/settings/preferences', label: 'Preferences' },
  { href: '/settings/account', label: 'Account' },
  { href: '/settings/members', label: 'Members' },
  { href: '/settings/security', label: 'Security' },
  { href: '/settings/sessions', label: 'Sessions' },
  { href: '/settings/audit', label: 'Audit log' },
] as const

/** Links to the pages of the settings; they wrap where the screen is narrow. */
export function SettingsTabs() {
  const path = usePathname()
  const may = useLevels()
  return (
    <nav aria-label="Settings" className="mb-6 flex flex-wrap gap-x-5 border-b">
      {SETTINGS_TABS.filter(({ href }) => may.includes(minRoleOf(href))).map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? 'page' : undefined}
          className={cn(
            '-mb-px border-b-2 border-transparent px-0.5 py-2 text-table font-medium whitespace-nowrap text-muted hover:text-text',
            path === href && 'border-accent text-text',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
