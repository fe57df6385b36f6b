import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { Providers } from '@/components/providers'
import { SecondFactorSettings } from '@/components/security/second-factor-settings'
import { LogoWithName } from '@/components/shell/logo'
import { Button } from '@/components/ui/button'
import { Title } from '@/components/ui/page'
import { signOutAction } from '../../(public)/actions'
import { server } from '../../server'
import { currentSession } from '../../session'

export const metadata: Metadata = { title: 'Add a second factor' }

function noteOf(isMissed: boolean, hasOne: boolean): string {
  if (isMissed) return 'The dashboard opens once you have one.'
  return hasOne ? 'You have one. The dashboard is open.' : 'Your password alone then signs nobody in.'
}

/** All that an operator reaches who has to add a second factor. */
export default async function SecondFactorPage() {
  const session = await currentSession()
  if (!session) redirect('/signin')
  const overview = await server()
    .dashboardCaller(await headers(), notFound)
    .security.overview()
  return (
    <Providers>
      <header className="flex h-14 items-center justify-between gap-4 border-b bg-raised px-5">
        <LogoWithName />
        <form action={signOutAction.bind(null, false)} className="flex min-w-0 items-center gap-3">
          <p className="min-w-0 truncate text-table text-muted">{session.email}</p>
          <Button type="submit" size="small">
            Sign out
          </Button>
        </form>
      </header>
      <main className="mx-auto w-full max-w-[760px] px-5 py-8">
        <Title
          title="Add a second factor"
          note={noteOf(session.lacksFactor, overview.passkeys.length > 0 || overview.appSince !== null)}
        />
        <SecondFactorSettings of={overview} onKept="/overview" />
      </main>
    </Providers>
  )
}
