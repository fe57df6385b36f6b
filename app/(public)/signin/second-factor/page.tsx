import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/shell/auth-page'
import { FactorForm } from '@/components/shell/factor-form'
import { localPath } from '@/components/shell/local-path'
import { PasskeySignIn } from '@/components/shell/passkey-sign-in'
import { server } from '../../../server'
import { providerAction } from '../../actions'
import { askPasskeyAction, giveCodeAction, givePasskeyAction } from './actions'

export const metadata: Metadata = { title: 'Second factor', robots: { index: false } }

type Props = { searchParams: Promise<{ next?: string }> }

export default async function SecondFactorPage({ searchParams }: Props) {
  const next = localPath((await searchParams).next, '/overview')
  const choices = await server().secondFactorChoices(await headers())
  if (!choices) redirect(next === '/overview' ? '/signin' : `/signin?next=${encodeURIComponent(next)}`)
  const { app, passkey, recoveryCode, email } = choices
  return (
    <AuthPage
      title="Second factor"
      providers={[]}
      onProvider={providerAction}
      next={next}
      foot={
        <>
          Lost all of them? The operator can remove them.{' '}
          <Link href="/signin" className="text-accent underline underline-offset-2">
            Back to sign-in
          </Link>
        </>
      }
    >
      <p className="text-muted">
        Signing in as <span className="font-medium text-text [overflow-wrap:anywhere]">{email}</span>
      </p>
      {passkey && server().hasPasskeys() && (
        <PasskeySignIn ask={askPasskeyAction} give={givePasskeyAction} isSecond isMain={!app} next={next} />
      )}
      {(app || recoveryCode) && <FactorForm action={giveCodeAction} next={next} hasApp={app} />}
    </AuthPage>
  )
}
