import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { KeyTable } from '@/components/keys/key-table'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const { cursor } = await searchParams
  const api = await dashboardApi()
  const list = await nullIfRefused(
    api.keys.list({ cursor: cursor === undefined ? undefined : String(cursor) }),
    'invalid_request',
  )
  // An invalid cursor: start at the newest.
  if (!list) redirect('/keys')
  const { rows, nextCursor } = list
  return (
    <>
      <Title
        title="Keys"
        note="Give each program its own key, with what it may call and how much it may spend."
        action={
          <ButtonLink kind="primary" href="/keys/new">
            <Plus className="size-4" aria-hidden />
            New key
          </ButtonLink>
        }
      />
      {rows.length === 0 ? (
        <Empty title="No keys yet">
          <p>A program sends a key with each call. Create one here, or as operator on the command line:</p>
          <CopyBox
            label="Command"
            code={'npm run admin -- key create --email you@example.org --name first --tools all'}
          />
        </Empty>
      ) : (
        <KeyTable keys={rows} />
      )}
      <Pager older={nextCursor && `/keys?cursor=${nextCursor}`} newest={cursor ? '/keys' : null} />
    </>
  )
}
