import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage } from '@/components/shell/auth-page'
import { ResetForm } from '@/components/shell/reset-form'
import { Notice } from '@/components/ui/page'
import { server } from '../../../server'
import { providerAction } from '../../actions'
import { openAccountAction } from './actions'

export const metadata: Metadata = { title: 'Create an account', robots: { index: false } }

type Props = { searchParams: Promise<{ token?: string | string[] }> }

export default async function SignUpPasswordPage({ searchParams }: Props) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const email = given === '' ? null : await server().addressOfSignUpLink(given)
  return (
    <AuthPage
      title="Create an account"
      providers={[]}
      onProvider={providerAction}
      next="/overview"
      foot={
        <Link href="/signup" className="text-accent underline underline-offset-2">
          Ask for a new link
        </Link>
      }
    >
      {email ? (
        <>
          <p className="text-muted">
            For <span className="font-medium text-text [overflow-wrap:anywhere]">{email}</span>
          </p>
          <ResetForm action={openAccountAction} token={given} label="Create account" />
        </>
      ) : (
        <Notice tone="warn">This link was used, has expired or is not complete.</Notice>
      )}
    </AuthPage>
  )
}
