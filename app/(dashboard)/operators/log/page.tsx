import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { OperatorLogFilterBar } from '@/components/operators/log-filter-bar'
import { parseLogFilters } from '@/components/operators/log-filters'
import { OperatorLogTable } from '@/components/operators/log-table'
import { ButtonLink } from '@/components/ui/button'
import { type ListSearchParams, listAt, textParam } from '@/components/ui/list-url'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Operators’ log' }

const PATH = '/operators/log'

export default async function OperatorLogPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const params = await searchParams
  const cursor = textParam(params, 'cursor')
  const api = await operatorsApi()
  const filters = parseLogFilters(params)
  const isFiltered = cursor !== undefined || Object.values(filters).some((value) => value !== undefined)
  const list = await nullIfRefused(api.owners.log({ ...filters, limit: 50, cursor }), 'invalid_request')
  // An invalid cursor: start at the newest.
  if (!list) redirect(listAt(PATH, params, null))
  return (
    <>
      <Title
        title="Operators’ log"
        note="What operators did, here and with admin commands. The owners concerned see it in their audit log too."
        action={
          <ButtonLink href={listAt(`${PATH}/export`, params, null)} prefetch={false} download>
            <Download className="size-4" aria-hidden />
            Export CSV
          </ButtonLink>
        }
      />
      <OperatorLogFilterBar />
      {list.rows.length > 0 ? (
        <OperatorLogTable rows={list.rows} />
      ) : (
        <Empty title={isFiltered ? 'No matching entries' : 'No entries yet'}>
          <p>
            {isFiltered ? 'Choose other filters, or clear them. ' : ''}Grants, suspensions, refunds and what else
            operators do appear here.
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
