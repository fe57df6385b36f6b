import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuditFilterBar } from '@/components/settings/audit-filter-bar'
import { AuditTable } from '@/components/settings/audit-table'
import { parseAuditFilters } from '@/components/settings/parse-audit-filters'
import { ButtonLink } from '@/components/ui/button'
import { type ListSearchParams, textParam, urlWith } from '@/components/ui/list-url'
import { Empty, Section } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { RangeBar } from '@/components/ui/range-bar'
import { AUDIT_ACTIONS } from '@/server/accounts/shape'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Audit log' }

const PATH = '/settings/audit'
const ACTIONS = Object.entries(AUDIT_ACTIONS).map(([id, label]) => ({ id, label }))

export default async function AuditPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const params = await searchParams
  const filters = parseAuditFilters(params)
  const cursor = textParam(params, 'cursor')
  const api = await dashboardApi()
  const [list, me, timeZone] = await Promise.all([
    nullIfRefused(api.account.audit({ ...filters, limit: 50, cursor }), 'invalid_request'),
    api.account.me(),
    api.account.timeZone(),
  ])
  const isFiltered = cursor !== undefined || Object.values(filters).some((value) => value !== undefined)
  // An invalid cursor: start at the newest.
  if (!list) redirect(urlWith(PATH, filters))
  return (
    <Section
      title="Audit log"
      aside={
        <ButtonLink size="small" href={urlWith(`${PATH}/export`, filters)} prefetch={false} download>
          <Download className="size-4" aria-hidden />
          Export CSV
        </ButtonLink>
      }
    >
      <p className="mb-3 max-w-prose text-muted">
        Sign-ins, keys, settings and credits of this account: what was done, by whom and from where. Entries are never
        changed.
      </p>
      <RangeBar
        presets={[[null, 'All']]}
        now={filters.from || filters.to ? undefined : null}
        from={filters.from}
        to={filters.to}
        timeZone={timeZone}
      />
      <AuditFilterBar filters={filters} actions={ACTIONS} />
      {list.rows.length > 0 ? (
        <AuditTable rows={list.rows} email={me.email} />
      ) : (
        <Empty title={isFiltered ? 'No matching events' : 'No events yet'}>
          <p>
            {isFiltered
              ? 'Nothing of this kind happened on these days. Choose more days, or clear the filters.'
              : 'Sign-ins, new keys, changed settings and received credits appear here.'}
          </p>
        </Empty>
      )}
      <Pager
        older={list.nextCursor && urlWith(PATH, filters, { cursor: list.nextCursor })}
        newest={cursor ? urlWith(PATH, filters) : null}
      />
    </Section>
  )
}
