import type { Metadata } from 'next'
import Link from 'next/link'
import { OperatorLogTable } from '@/components/operators/log-table'
import { OperatorKeys } from '@/components/operators/operator-keys'
import { OwnerActs } from '@/components/operators/owner-acts'
import { OwnerBadges } from '@/components/operators/owner-badges'
import { OwnerFacts } from '@/components/operators/owner-facts'
import { RequestTable } from '@/components/operators/request-table'
import { RunTable } from '@/components/operators/run-table'
import { type ListSearchParams, listAt, textParam } from '@/components/ui/list-url'
import { Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { SearchField } from '@/components/ui/search-field'
import { RefusalTable } from '@/components/usage/refusals'
import { nullIfRefused } from '../../../../or-not-found'
import { loadOwner, operatorsApi } from '../../operators-api'

export const metadata: Metadata = { title: 'Owner' }

type Props = { params: Promise<{ ownerId: string }>; searchParams: Promise<ListSearchParams> }

export default async function OperatorOwnerPage({ params, searchParams }: Props) {
  const ownerId = Number((await params).ownerId)
  const query = await searchParams
  const cursor = textParam(query, 'cursor')
  const q = textParam(query, 'q')
  const api = await operatorsApi()
  const first = { ownerId, limit: 10 }
  const [owner, page, receipts, refusals, log] = await Promise.all([
    loadOwner(ownerId),
    nullIfRefused(api.owners.keys({ ...first, q, cursor }), 'invalid_request'),
    api.owners.receipts(first),
    api.owners.refusals(first),
    api.owners.log(first),
  ])
  const keys = page ?? (await api.owners.keys({ ...first, q }))
  const path = `/operators/owners/${ownerId}`
  const none = (text: string) => <p className="text-muted">{text}</p>
  const linkTo = (href: string, text: string) => (
    <Link href={href} className="text-table text-accent underline">
      {text}
    </Link>
  )
  const all = (query: string) => linkTo(`${path}/requests${query}`, 'All of them')
  return (
    <>
      <Title
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            {owner.email} <OwnerBadges {...owner} />
          </span>
        }
        note="What was asked and answered is not shown to operators."
      />
      <div className="grid max-w-[1200px] gap-8">
        <OwnerFacts of={owner} />
        <Section title="Actions">
          <OwnerActs of={owner} />
        </Section>
        <Section title="Keys">
          {(q || keys.totals.count > first.limit) && (
            <SearchField param="q" label="Find a key by name, tag or last four characters" />
          )}
          {keys.rows.length > 0 ? (
            <OperatorKeys rows={keys.rows} ownerId={ownerId} />
          ) : (
            none(q ? 'No key of this owner has these words.' : 'This owner has no keys.')
          )}
          <Pager
            older={keys.nextCursor && listAt(path, query, keys.nextCursor)}
            newest={cursor ? listAt(path, query, null) : null}
          />
        </Section>
        <Section title="Last requests" aside={all('')}>
          {receipts.rows.length > 0 ? <RequestTable rows={receipts.rows} /> : none('Nothing was called yet.')}
        </Section>
        <Section title="Last refused calls" aside={all('?kind=refused')}>
          {refusals.rows.length > 0 ? (
            <RefusalTable rows={refusals.rows} keys="named" />
          ) : (
            none('No call was refused in the last 35 days.')
          )}
        </Section>
        <Section title="Last runs">
          {owner.recentRuns.length > 0 ? <RunTable rows={owner.recentRuns} /> : none('No agent run was started yet.')}
        </Section>
        <Section title="What operators did" aside={linkTo(`/operators/log?owner=${ownerId}`, 'All of it')}>
          {log.rows.length > 0 ? <OperatorLogTable rows={log.rows} /> : none('No operator did anything here yet.')}
        </Section>
      </div>
    </>
  )
}
