import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthForm } from '@/components/shell/auth-form'
import { AuthPage } from '@/components/shell/auth-page'
import { JoinForm } from '@/components/shell/join-form'
import { Notice } from '@/components/ui/page'
import { ROLE_NOTES } from '@/server/accounts/shape'
import { server } from '../../server'
import { currentSession } from '../../session'
import { providerAction } from '../actions'
import { joinAction, signUpInvitedAction } from './actions'

export const metadata: Metadata = { title: 'Join an account', robots: { index: false } }

const LINK = 'text-accent underline underline-offset-2'

type Props = { searchParams: Promise<{ token?: string | string[] }> }

/** What an invitation leads to: joining as whoever is signed in, or with a new sign-in. */
export default async function JoinPage({ searchParams }: Props) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const next = `/join?token=${encodeURIComponent(given)}`
  const [offer, session] = await Promise.all([given === '' ? null : server().findInvitation(given), currentSession()])
  const foot = session ? (
    <Link href="/overview" className={LINK}>
      {offer ? 'Not now' : 'To the dashboard'}
    </Link>
  ) : (
    <>
      {offer && 'Already have a sign-in here? '}
      <Link href={`/signin?next=${encodeURIComponent(offer ? next : '/overview')}`} className={LINK}>
        {offer ? 'Sign in and join' : 'Sign in'}
      </Link>
    </>
  )
  return (
    <AuthPage
      title={offer ? `Join ${offer.account}` : 'Join an account'}
      providers={[]}
      onProvider={providerAction}
      next={next}
      foot={foot}
    >
      {!offer && (
        <Notice tone="warn">
          This invitation was used or withdrawn, has expired, or its link is not complete. Ask for a new one.
        </Notice>
      )}
      {offer && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {offer.madeBy} invites you as <span className="font-medium text-text">{offer.role}</span>:{' '}
          {ROLE_NOTES[offer.role]}.
        </p>
      )}
      {offer && session && <JoinForm action={joinAction.bind(null, given)} email={session.email} />}
      {offer && !session && offer.signsUp && (
        <AuthForm action={signUpInvitedAction.bind(null, given)} next={next} mode="up" email={offer.email} />
      )}
    </AuthPage>
  )
}
