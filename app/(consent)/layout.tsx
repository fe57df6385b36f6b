import type { ReactNode } from 'react'
import { Providers } from '@/components/providers'
import { LogoWithName } from '@/components/shell/logo'
import { dashboardApi } from '../(dashboard)/dashboard-api'

/** Nothing but the question: no navigation, and who is asked. */
export default async function ConsentLayout({ children }: { children: ReactNode }) {
  const me = await (await dashboardApi()).account.me()
  return (
    <Providers>
      <header className="flex h-14 items-center justify-between gap-4 border-b bg-raised px-5">
        <LogoWithName />
        <p className="min-w-0 truncate text-table text-muted">Signed in as {me.email}</p>
      </header>
      <main className="mx-auto w-full max-w-[680px] px-5 py-8">{children}</main>
    </Providers>
  )
}
