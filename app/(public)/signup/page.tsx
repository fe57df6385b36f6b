import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthForm } from '@/components/shell/auth-form'
import { AuthPage } from '@/components/shell/auth-page'
import { ForgotForm } from '@/components/shell/forgot-form'
import { localPath } from '@/components/shell/local-path'
import { Notice } from '@/components/ui/page'
import { server } from '../../server'
import { currentSession } from '../../session'
import { providerAction, signUpAction } from '../actions'
import { askToSignUpAction } from './password/actions'

export const metadata: Metadata = { title: 'Create an account' }

export default async function SignUpPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = localPath((await searchParams).next, '/overview')
  if (await currentSession()) redirect(next)
  const { providers, signUpOpen, signsUpByLink } = await server().signInOptions()
  return (
    <AuthPage
      title="Create an account"
      providers={signUpOpen ? providers : []}
      onProvider={providerAction}
      next={next}
      foot={
        <>
          Already have an account?{' '}
          <Link href="/signin" className="text-accent underline underline-offset-2">
            Sign in
          </Link>
        </>
      }
    >
      {signUpOpen && signsUpByLink && <ForgotForm action={askToSignUpAction} to="account" />}
      {signUpOpen && !signsUpByLink && <AuthForm action={signUpAction} next={next} mode="up" />}
      {!signUpOpen && <Notice tone="warn">Sign-up is closed. Contact the operator.</Notice>}
    </AuthPage>
  )
}
