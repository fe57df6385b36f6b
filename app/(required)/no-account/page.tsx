import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { LogoWithName } from '@/components/shell/logo'
import { Button } from '@/components/ui/button'
import { Title } from '@/components/ui/page'
import { signOutAction } from '../../(public)/actions'
import { currentSession } from '../../session'

export const metadata: Metadata = { title: 'No account' }

/** All that somebody reaches who belongs to no account any more. */
export default async function NoAccountPage() {
  const session = await currentSession()
  if (!session) redirect('/signin')
  if (session.account) redirect('/overview')
  return (
    <main className="mx-auto grid w-full max-w-[420px] gap-5 px-5 py-[12vh]">
      <LogoWithName />
      <Title
        title="You belong to no account"
        note={`${session.email} was removed from it, or it was deleted. Open an invitation to join another one.`}
      />
      <form action={signOutAction.bind(null, false)}>
        <Button type="submit">Sign out</Button>
      </form>
    </main>
  )
}
