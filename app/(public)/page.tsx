import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { AppImage } from '@/components/landing/app-image'
import { Comparison } from '@/components/landing/comparison'
import { InstallSteps } from '@/components/landing/install-steps'
import { ModelPrices } from '@/components/landing/model-prices'
import { OneLedger } from '@/components/landing/one-ledger'
import { RecordedRun } from '@/components/landing/recorded-run'
import { ToolPrices } from '@/components/landing/tool-prices'
import { WaysIn } from '@/components/landing/ways-in'
import { parseTheme } from '@/components/shell/theme'
import { formatCredits } from '@/components/ui/amount'
import { ButtonLink } from '@/components/ui/button'
import { server } from '../server'
import { currentSession } from '../session'

export const metadata: Metadata = {
  title: { absolute: 'Tollgate: tools, models and agents behind one key and one balance' },
  description: 'A gateway that you host yourself: one key, one credit balance, a receipt for every call.',
}

export default async function HomePage() {
  const [session, { signUpOpen }, prices, jar] = await Promise.all([
    currentSession(),
    server().signInOptions(),
    server().publicCaller().visitor.prices(),
    cookies(),
  ])
  const { tools, models, creditsPerUsd } = prices
  return (
    <main className="mx-auto grid w-full max-w-[1200px] grid-cols-[minmax(0,1fr)] content-start gap-6 px-5 py-6">
      <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="grid gap-4">
          <h1 className="max-w-[24ch] text-[1.75rem] leading-9 font-semibold tracking-tight text-balance">
            Tools, models and agents behind one key and one balance
          </h1>
          <p className="max-w-[58ch] text-muted">
            Tollgate is a gateway that you host yourself. Every call is billed in credits against limits that you set,
            has a receipt, and cannot overspend: not with a thousand calls at once, not when a process dies.
          </p>
          <div className="flex flex-wrap items-center gap-3">
            {session ? (
              <ButtonLink kind="primary" href="/overview">
                Go to the dashboard
              </ButtonLink>
            ) : (
              <>
                {signUpOpen && (
                  <ButtonLink kind="primary" href="/signup">
                    Create an account
                  </ButtonLink>
                )}
                <ButtonLink kind={signUpOpen ? 'plain' : 'primary'} href="/signin">
                  Sign in
                </ButtonLink>
              </>
            )}
            <ButtonLink href="/docs" prefetch={false}>
              Read the docs
            </ButtonLink>
          </div>
          {!session && !signUpOpen && <p className="text-caption text-muted">Sign-up is closed.</p>}
        </div>
        <AppImage
          name="overview"
          alt="The overview of the dashboard: what waits for an answer, the balance, and the spend of each day"
          theme={parseTheme(jar.get('theme')?.value)}
        />
      </div>
      <WaysIn
        baseUrl={server().publicUrl()}
        tools={tools.reduce((sum, row) => sum + row.tools.length, 0)}
        groups={tools.map(({ group }) => group)}
        models={models.length}
        model={models.find(({ kind }) => kind === 'chat')?.id ?? null}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 border-t pt-6 lg:grid-cols-2">
        <RecordedRun rate={creditsPerUsd} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <OneLedger />
          <InstallSteps />
        </div>
      </div>
      <Comparison />
      <section id="prices" className="border-t pt-7">
        <h2 className="mb-1 font-semibold">Prices</h2>
        <p className="mb-4 text-muted">
          As they are now. A dollar is {formatCredits(creditsPerUsd)} credits at the reference rate. A call that is
          refused costs nothing.
        </p>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
          <ToolPrices {...prices} />
          <ModelPrices {...prices} />
        </div>
      </section>
    </main>
  )
}
