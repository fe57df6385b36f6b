import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { KeyFilters } from '@/components/keys/key-filters'
import { KeyTable } from '@/components/keys/key-table'
import { KeyTotals } from '@/components/keys/key-totals'
import { NoKeys } from '@/components/keys/no-keys'
import { parseKeySearch } from '@/components/keys/parse-key-search'
import { May } from '@/components/shell/role'
import { ButtonLink } from '@/components/ui/button'
import { type ListSearchParams, urlWith } from '@/components/ui/list-url'
import { Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const { cursor, ...asked } = parseKeySearch(await searchParams)
  const { q, state, tag, sort, order } = asked
  const api = await dashboardApi()
  const [found, tags, me] = await Promise.all([
    nullIfRefused(api.keys.search({ ...asked, cursor }), 'invalid_request'),
    api.keys.tags(),
    api.account.me(),
  ])
  const filters = { q, state, tag, sort, order }
  const first = urlWith('/keys', filters)
  // An invalid cursor: start at the beginning.
  if (!found) redirect(first)
  const filtered = q !== '' || state !== undefined || tag !== undefined
  return (
    <>
      <Title
        title="Keys"
        note="Give each program its own key, with what it may call and how much it may spend."
        action={
          <span className="flex flex-wrap gap-2">
            <May to="keys.createManagement">
              <ButtonLink href="/keys/new-management">New management key</ButtonLink>
            </May>
            <May to="keys.create">
              <ButtonLink kind="primary" href="/keys/new">
                <Plus className="size-4" aria-hidden />
                New key
              </ButtonLink>
            </May>
          </span>
        }
      />
      {(found.totals.count > 0 || filtered) && <KeyFilters tags={tags} />}
      {found.totals.count > 0 && (
        <KeyTotals totals={found.totals} filtered={filtered} creditsPerUsd={me.creditsPerUsd} />
      )}
      {found.rows.length === 0 ? (
        <NoKeys filtered={filtered || cursor !== undefined} isOperator={me.isAdmin} />
      ) : (
        <KeyTable keys={found.rows} reader={me.email} />
      )}
      <Pager
        older={found.nextCursor && urlWith('/keys', filters, { cursor: found.nextCursor })}
        newest={cursor ? first : null}
        words={sort === 'created' && order === 'desc' ? undefined : { older: 'Next', newest: 'First page' }}
      />
    </>
  )
}
