import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthForm } from '@/components/shell/auth-form'
import { AuthPage } from '@/components/shell/auth-page'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/page'
import { ROLE_NOTES } from '@/server/accounts/shape'
import { server } from '../../server'
import { currentSession } from '../../session'
import { providerAction } from '../actions'
import { joinAction, signUpInvitedAction } from './actions'

export const metadata: Metadata = { title: 'Join an account', robots: { index: false } }

type Props = { searchParams: Promise<{ token?: string | string[] }> }

/** What an invitation leads to: joining as whoever is signed in, or with a new sign-in. */
export default async function JoinPage({ searchParams }: Props) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const next = `/join?token=${encodeURIComponent(given)}`
  const [offer, session] = await Promise.all([given === '' ? null : server().findInvitation(given), currentSession()])
  return (
    <AuthPage
      title={offer ? `Join ${offer.account}` : 'Join an account'}
      providers={[]}
      onProvider={providerAction}
      next={next}
      foot={
        !session && (
          <>
            Already have a sign-in here?{' '}
            <Link
              href={`/signin?next=${encodeURIComponent(next)}`}
              className="text-accent underline underline-offset-2"
            >
              Sign in and join
            </Link>
          </>
        )
      }
    >
      {!offer && <Notice tone="warn">This link was used, has expired or is not complete.</Notice>}
      {offer && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {offer.madeBy} invites you as <span className="font-medium text-text">{offer.role}</span>:{' '}
          {ROLE_NOTES[offer.role]}.
        </p>
      )}
      {offer && session && (
        <form action={joinAction.bind(null, given)} className="grid">
          <Button type="submit" kind="primary">
            <span className="truncate">Join as {session.email}</span>
          </Button>
        </form>
      )}
      {offer && !session && offer.signsUp && (
        <AuthForm action={signUpInvitedAction.bind(null, given)} next={next} mode="up" email={offer.email} />
      )}
    </AuthPage>
  )
}
