import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage } from '@/components/shell/auth-page'
import { ResetForm } from '@/components/shell/reset-form'
import { Notice } from '@/components/ui/page'
import { TimeAgo } from '@/components/ui/time-ago'
import { server } from '../../server'
import { providerAction } from '../actions'
import { resetAction } from './actions'

export const metadata: Metadata = { title: 'New password', robots: { index: false } }

type Props = { searchParams: Promise<{ token?: string | string[] }> }

export default async function ResetPage({ searchParams }: Props) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  const link = given === '' ? null : await server().findResetLink(given)
  return (
    <AuthPage
      title="Set a new password"
      providers={[]}
      onProvider={providerAction}
      next="/overview"
      foot={
        link ? (
          'Every browser that is signed in to the account is signed out.'
        ) : (
          <Link href="/forgot" className="text-accent underline underline-offset-2">
            Ask for a new link
          </Link>
        )
      }
    >
      {link ? (
        <>
          {link.madeBy !== null && (
            <Notice tone="warn">
              {link.madeBy} made this link <TimeAgo at={link.madeAt} />. If you did not ask for it, do not use it.
            </Notice>
          )}
          <ResetForm action={resetAction} token={given} />
        </>
      ) : (
        <Notice tone="warn">This link was used, has expired or is not complete.</Notice>
      )}
    </AuthPage>
  )
}
