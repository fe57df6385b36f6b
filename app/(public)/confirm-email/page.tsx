import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage } from '@/components/shell/auth-page'
import { ConfirmForm } from '@/components/shell/confirm-form'
import { Notice } from '@/components/ui/page'
import { server } from '../../server'
import { providerAction } from '../actions'
import { confirmAction } from './actions'

export const metadata: Metadata = { title: 'Confirm e-mail address', robots: { index: false } }

type Props = { searchParams: Promise<{ token?: string | string[] }> }

export default async function ConfirmEmailPage({ searchParams }: Props) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const email = given === '' ? null : await server().addressOfLink(given)
  return (
    <AuthPage
      title="Confirm e-mail address"
      providers={[]}
      onProvider={providerAction}
      next="/overview"
      foot={
        <Link href="/settings/account" className="text-accent underline underline-offset-2">
          Account settings
        </Link>
      }
    >
      {email ? (
        <ConfirmForm action={confirmAction} token={given} email={email} />
      ) : (
        <Notice tone="warn">This link was used, has expired or is not complete.</Notice>
      )}
    </AuthPage>
  )
}
