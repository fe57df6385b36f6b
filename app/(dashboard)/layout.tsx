import { cookies, headers } from 'next/headers'
import Link from 'next/link'
import type { CSSProperties, ReactNode } from 'react'
import { NoticeBell } from '@/components/notices/bell'
import { Providers } from '@/components/providers'
import { AccountMenu } from '@/components/shell/account-menu'
import { AccountSwitcher } from '@/components/shell/account-switcher'
import { BalanceMeter } from '@/components/shell/balance-meter'
import { ConnectionBanner } from '@/components/shell/connection-banner'
import { LogoWithName } from '@/components/shell/logo'
import { Navigation } from '@/components/shell/navigation'
import { navigationIcons } from '@/components/shell/navigation-icons'
import { RoleProvider } from '@/components/shell/role'
import { SearchLauncher } from '@/components/shell/search-launcher'
import { SuspendedNotice } from '@/components/shell/suspended-notice'
import { parseTheme } from '@/components/shell/theme'
import { TimeZoneOffer } from '@/components/shell/time-zone-offer'
import { TimeZoneProvider } from '@/components/ui/time-zone'
import { signOutAction } from '../(public)/actions'
import { server } from '../server'
import { dashboardApi } from './dashboard-api'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const api = await dashboardApi()
  const [me, timeZone, suspendedFor, unread, jar, sent] = await Promise.all([
    api.account.me(),
    api.account.timeZone(),
    api.account.suspension(),
    api.notices.countUnread(),
    cookies(),
    headers(),
  ])
  const may = me.account?.may ?? []
  const role = me.account?.role ?? null
  const here = { role, may, refused: role ? server().refusedActs(role) : {} }
  const viewer = { isAdmin: me.isAdmin, may }
  const searchKeys = /Macintosh|iPhone|iPad/.test(sent.get('user-agent') ?? '') ? '⌘ K' : 'Ctrl K'
  const balance = may.includes('billing') ? await api.overview.balance() : null
  return (
    <Providers>
      <RoleProvider value={here}>
        <TimeZoneProvider value={timeZone}>
          <a
            href="#content"
            className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:px-3 focus:py-2"
          >
            Skip to content
          </a>
          <div
            className="grid min-h-dvh grid-rows-[auto_1fr] md:grid-cols-[208px_minmax(0,1fr)]"
            style={{ '--bar': me.simulation ? '73px' : '49px' } as CSSProperties}
          >
            <div className="contents md:sticky md:top-0 md:row-span-2 md:flex md:h-dvh md:flex-col md:gap-5 md:border-r md:bg-raised md:px-3 md:py-4">
              <Navigation
                viewer={viewer}
                icons={navigationIcons()}
                logo={
                  <Link
                    href="/overview"
                    prefetch={false}
                    aria-label="Tollgate, overview"
                    className="mb-4 px-2.5 max-md:hidden"
                  >
                    <LogoWithName />
                  </Link>
                }
              />
            </div>
            <header className="sticky top-0 z-20 min-w-0 border-b bg-raised">
              {me.simulation && (
                <p className="truncate bg-warn-weak px-4 py-1 text-caption text-warn md:px-6" title={me.simulation}>
                  {me.simulation}
                  <span className="max-sm:hidden"> Charges work as usual.</span>
                </p>
              )}
              <div className="flex h-12 items-center gap-2 px-4 sm:gap-3 md:px-6">
                <Link href="/overview" prefetch={false} aria-label="Tollgate, overview" className="mr-auto md:hidden">
                  <LogoWithName />
                </Link>
                <SearchLauncher owner={me.email} viewer={viewer} searchKeys={searchKeys} />
                {me.account && me.accounts.length > 1 && (
                  <AccountSwitcher accounts={me.accounts} current={me.account.accountId} />
                )}
                {balance && <BalanceMeter first={balance} />}
                <NoticeBell first={unread} />
                <AccountMenu email={me.email} theme={parseTheme(jar.get('theme')?.value)} onSignOut={signOutAction} />
              </div>
            </header>
            <main id="content" className="min-w-0 px-4 pt-6 pb-24 md:px-6 md:pb-10">
              {timeZone === 'UTC' && may.includes('admin') && <TimeZoneOffer />}
              {suspendedFor !== null && <SuspendedNotice reason={suspendedFor} />}
              {children}
            </main>
            <ConnectionBanner />
          </div>
        </TimeZoneProvider>
      </RoleProvider>
    </Providers>
  )
}
