import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthForm } from '@/components/shell/auth-form'
import { AuthPage } from '@/components/shell/auth-page'
import { localPath } from '@/components/shell/local-path'
import { PasskeySignIn } from '@/components/shell/passkey-sign-in'
import { Notice } from '@/components/ui/page'
import { signInErrorText } from '@/server/accounts/shape'
import { server } from '../../server'
import { currentSession } from '../../session'
import { providerAction, signInAction } from '../actions'
import { askPasskeyAction, givePasskeyAction } from './second-factor/actions'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ next?: string; error?: string; notice?: string }> }

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams
  const next = localPath(query.next, '/overview')
  if (await currentSession()) redirect(next)
  const { providers, signUpOpen } = await server().signInOptions()
  const signUpHref = `/signup${next === '/overview' ? '' : `?next=${encodeURIComponent(next)}`}`
  return (
    <AuthPage
      title="Sign in"
      providers={providers}
      onProvider={providerAction}
      next={next}
      foot={
        signUpOpen ? (
          <>
            No account yet?{' '}
            <Link href={signUpHref} className="text-accent underline underline-offset-2">
              Create account
            </Link>
          </>
        ) : (
          'Sign-up is closed. Contact the operator.'
        )
      }
    >
      {query.notice === 'deleted' && <Notice tone="good">Your account was deleted.</Notice>}
      {query.notice === 'password' && <Notice tone="good">Your password was changed. Sign in with it.</Notice>}
      <AuthForm
        action={signInAction}
        next={next}
        mode="in"
        error={query.error === undefined ? undefined : signInErrorText(String(query.error))}
      />
      {server().hasPasskeys() && (
        <PasskeySignIn ask={askPasskeyAction} give={givePasskeyAction} isSecond={false} next={next} />
      )}
      <p>
        <Link href="/forgot" prefetch={false} className="text-accent underline underline-offset-2">
          Forgot your password?
        </Link>
      </p>
    </AuthPage>
  )
}
