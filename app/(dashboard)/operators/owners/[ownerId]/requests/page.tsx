import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { parseOwnerRequests, type ShownRequests } from '@/components/operators/owner-requests'
import { OwnerRequestsBar } from '@/components/operators/owner-requests-bar'
import { RequestTable } from '@/components/operators/request-table'
import { type ListSearchParams, listAt, textParam } from '@/components/ui/list-url'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { RefusalTable } from '@/components/usage/refusals'
import { nullIfRefused } from '../../../../../or-not-found'
import { loadOwner, operatorsApi } from '../../../operators-api'

export const metadata: Metadata = { title: 'Requests of an owner' }

/** A page of the requests that are shown, with their kind. */
async function loadRequests(shown: ShownRequests, page: { ownerId: number; limit: number; cursor?: string }) {
  const { owners } = await operatorsApi()
  const { kind, keyId, status } = shown
  if (kind === 'refused') return { kind, ...(await owners.refusals({ ...page, keyId, status })) }
  return { kind, ...(await owners.receipts({ ...page, keyId, status })) }
}

type Props = { params: Promise<{ ownerId: string }>; searchParams: Promise<ListSearchParams> }

export default async function OwnerRequestsPage({ params, searchParams }: Props) {
  const ownerId = Number((await params).ownerId)
  const query = await searchParams
  const cursor = textParam(query, 'cursor')
  const shown = parseOwnerRequests(query)
  const owner = await loadOwner(ownerId)
  const list = await nullIfRefused(loadRequests(shown, { ownerId, limit: 50, cursor }), 'invalid_request')
  const path = `/operators/owners/${ownerId}/requests`
  // An invalid cursor: start at the newest.
  if (!list) redirect(listAt(path, query, null))
  return (
    <>
      <Title
        title="Requests"
        note={
          <>
            Of{' '}
            <Link href={`/operators/owners/${ownerId}`} className="text-accent underline">
              {owner.email}
            </Link>
            , and why they ended as they did. What was asked and answered is not shown to operators.
          </>
        }
      />
      <OwnerRequestsBar ownerId={ownerId} shown={shown} keyName={list.rows[0]?.keyName ?? undefined} />
      {list.rows.length === 0 && (
        <Empty title="No such requests">
          <p>
            Refused calls are listed for 35 days, the last 100 of each key; calls that ran as long as their receipts.
          </p>
        </Empty>
      )}
      {list.rows.length > 0 &&
        (list.kind === 'refused' ? <RefusalTable rows={list.rows} keys="named" /> : <RequestTable rows={list.rows} />)}
      <Pager
        older={list.nextCursor && listAt(path, query, list.nextCursor)}
        newest={cursor ? listAt(path, query, null) : null}
      />
    </>
  )
}
