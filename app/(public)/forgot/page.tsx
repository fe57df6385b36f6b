import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage } from '@/components/shell/auth-page'
import { ForgotForm } from '@/components/shell/forgot-form'
import { server } from '../../server'
import { providerAction } from '../actions'
import { forgotAction } from './actions'

export const metadata: Metadata = { title: 'Forgot password' }

export default async function ForgotPage() {
  return (
    <AuthPage
      title="Forgot your password?"
      providers={[]}
      onProvider={providerAction}
      next="/overview"
      foot={
        <Link href="/signin" className="text-accent underline underline-offset-2">
          Back to sign-in
        </Link>
      }
    >
      {server().canSendLinks() ? (
        <ForgotForm action={forgotAction} />
      ) : (
        <p className="text-muted">
          This instance sends no e-mail. Ask its operator for a link to set a new password; it works once, within an
          hour.
        </p>
      )}
    </AuthPage>
  )
}
