import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { DatasetActions } from '@/components/library/dataset-actions'
import { MadeBy } from '@/components/library/made-by'
import { RowsTable } from '@/components/library/rows-table'
import { May } from '@/components/shell/role'
import { formatCredits as formatCount } from '@/components/ui/amount'
import { LINK } from '@/components/ui/external-link'
import { formatBytes } from '@/components/ui/format-bytes'
import { type ListSearchParams, listAt, textParam } from '@/components/ui/list-url'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { SearchField } from '@/components/ui/search-field'
import { nullIfRefused } from '../../../../or-not-found'
import { dashboardApi } from '../../../dashboard-api'
import { loadLibraryDataset } from '../../../load'

export const metadata: Metadata = { title: 'Dataset' }

type Props = { params: Promise<{ name: string }>; searchParams: Promise<ListSearchParams> }

export default async function DatasetPage({ params, searchParams }: Props) {
  const [{ name }, search] = [await params, await searchParams]
  const path = `/library/datasets/${name}`
  const [api, dataset] = [await dashboardApi(), await loadLibraryDataset(name)]
  const offset = Number(textParam(search, 'cursor') ?? 0)
  const q = textParam(search, 'q') ?? ''
  const asked = {
    name,
    q,
    sort: textParam(search, 'sort'),
    order: textParam(search, 'order') === 'desc' ? 'desc' : 'asc',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  } as const
  const found = await nullIfRefused(api.library.rows(asked), 'invalid_request')
  if (!found) redirect(path)
  const { rowCount, bytes, columns, jobId } = dataset
  return (
    <>
      <Title
        title={name}
        note={
          <>
            {formatCount(rowCount)} rows, {formatBytes(bytes)} stored. Made by: <MadeBy jobId={jobId} what={name} />
          </>
        }
        action={
          <>
            <a className={LINK} href={`/datasets/${name}?format=csv`} download aria-label="Download as CSV">
              CSV
            </a>
            <a className={LINK} href={`/datasets/${name}?format=xlsx`} download aria-label="Download as XLSX">
              XLSX
            </a>
          </>
        }
      />
      <search aria-label="Filter rows" className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField param="q" label="Rows that contain" className="max-sm:basis-full" />
      </search>
      {found.rows.length > 0 ? (
        <RowsTable columns={columns} rows={found.rows} />
      ) : (
        <Empty title={q ? 'No row contains that' : 'No rows'}>
          <p>{q ? 'Clear the field above to see all rows.' : 'Runs can append rows to it.'}</p>
        </Empty>
      )}
      <Pager
        older={found.hasMore ? listAt(path, search, String(asked.offset + found.rows.length)) : null}
        newest={asked.offset > 0 ? listAt(path, search, null) : null}
        words={{ older: 'More rows', newest: 'First rows' }}
      />
      <May to="library.renameDataset">
        <div className="mt-6">
          <DatasetActions name={name} rowCount={rowCount} />
        </div>
      </May>
    </>
  )
}
