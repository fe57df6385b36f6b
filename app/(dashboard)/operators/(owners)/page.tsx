import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { parseOwnerFilters } from '@/components/operators/owner-filters'
import { OwnerStateFilter } from '@/components/operators/owner-state-filter'
import { OwnerTable } from '@/components/operators/owner-table'
import { type ListSearchParams, listAt, textParam } from '@/components/ui/list-url'
import { Empty, Notice, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { SearchField } from '@/components/ui/search-field'
import { nullIfRefused } from '../../../or-not-found'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Owners' }

const PATH = '/operators'

export default async function OwnersPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const params = await searchParams
  const filters = parseOwnerFilters(params)
  const cursor = textParam(params, 'cursor')
  const api = await operatorsApi()
  const isId = filters.search?.length === 36
  const [list, request, run] = await Promise.all([
    nullIfRefused(api.owners.list({ ...filters, limit: 50, cursor }), 'invalid_request'),
    isId ? nullIfRefused(api.requests.get({ requestId: filters.search ?? '' })) : null,
    isId ? nullIfRefused(api.runs.get({ jobId: filters.search ?? '' })) : null,
  ])
  // An invalid cursor: start at the first.
  if (!list) redirect(listAt(PATH, params, null))
  const found = request
    ? { href: `/operators/requests/${request.receipt.requestId}`, text: `Open the request of ${request.owner.email}` }
    : run && { href: `/operators/runs/${run.jobId}`, text: `Open the run of ${run.ownerEmail}` }
  return (
    <>
      <Title title="Owners" note="Everybody with an account here, their credits and what they spend." />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          param="q"
          label="Search owners"
          placeholder="E-mail, id, last four of a key, request id"
          maxLength={300}
          className="sm:max-w-96"
        />
        <OwnerStateFilter />
      </div>
      {found && (
        <div className="mb-3">
          <Notice tone="good">
            <Link href={found.href} className="underline underline-offset-2">
              {found.text}
            </Link>
          </Notice>
        </div>
      )}
      {list.rows.length > 0 ? (
        <OwnerTable rows={list.rows} />
      ) : (
        <Empty title="No matching owners">
          <p>
            Search by part of an e-mail address, by an owner’s id, by the last four characters of a key, or by the id of
            a request or job.
          </p>
        </Empty>
      )}
      <Pager
        older={list.nextCursor && listAt(PATH, params, list.nextCursor)}
        newest={cursor ? listAt(PATH, params, null) : null}
      />
    </>
  )
}
