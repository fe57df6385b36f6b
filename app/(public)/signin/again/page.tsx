import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { CloseTab } from '@/components/security/close-tab'
import { AuthPage } from '@/components/shell/auth-page'
import { server } from '../../../server'
import { currentSession } from '../../../session'
import { providerAction } from '../../actions'

export const metadata: Metadata = { title: 'Sign in again', robots: { index: false } }

type Props = { searchParams: Promise<{ provider?: string | string[]; done?: string }> }

/** Where the dialog that asks for a proof leads who signs in by a provider, in a tab of its own. */
export default async function SignInAgainPage({ searchParams }: Props) {
  const { provider, done } = await searchParams
  const session = await currentSession()
  if (!session) redirect('/signin')
  const { providers } = await server().signInOptions()
  const chosen = providers.filter(({ id }) => id === provider)
  return (
    <AuthPage
      title="Sign in again"
      providers={done === undefined ? chosen : []}
      onProvider={providerAction}
      next={`/signin/again?provider=${chosen[0]?.id ?? ''}&done=1`}
      isAnew
      foot={
        <Link href="/overview" className="text-accent underline underline-offset-2">
          To the dashboard
        </Link>
      }
    >
      {done === undefined ? (
        <p className="text-muted">
          As <span className="font-medium text-text [overflow-wrap:anywhere]">{session.email}</span>. What you were
          doing goes on in the other tab.
        </p>
      ) : (
        <CloseTab />
      )}
    </AuthPage>
  )
}
