import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { LibraryDatasets } from '@/components/library/dataset-table'
import { FileTable } from '@/components/library/file-table'
import { SiteTable } from '@/components/library/site-table'
import { formatBytes } from '@/components/ui/format-bytes'
import { Empty, Section, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Library' }

type Params = { cursor?: string | string[] }

const quota = (used: number | string, most: number | string | null) => (
  <span className="num text-caption text-muted">{most === null ? used : `${used} of ${most}`}</span>
)

export default async function LibraryPage({ searchParams }: { searchParams: Promise<Params> }) {
  const { cursor: asked } = await searchParams
  const cursor = typeof asked === 'string' && asked ? asked : undefined
  const api = await dashboardApi()
  const [{ datasets, sites, most }, files] = await Promise.all([
    api.library.list(),
    nullIfRefused(api.library.files({ cursor }), 'invalid_request'),
  ])
  // An invalid cursor: start at the beginning.
  if (!files) redirect('/library')
  const isEmpty = datasets.length + sites.length + files.files.length === 0 && !cursor
  return (
    <>
      <Title
        title="Library"
        note="What runs have made: datasets for your account alone, sites and files for whoever has their link."
      />
      {isEmpty ? (
        <Empty title="Nothing yet">
          <p>
            Runs that collect rows, publish pages or make images leave them here.{' '}
            <Link href="/jobs/new" className="text-accent underline underline-offset-2">
              Start a run
            </Link>
            , for example “Find ten homes in Lisbon and keep them as a dataset”.
          </p>
        </Empty>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          {datasets.length > 0 && (
            <Section title="Datasets" aside={quota(datasets.length, most.datasets)}>
              <LibraryDatasets datasets={datasets} />
            </Section>
          )}
          {sites.length > 0 && (
            <Section title="Sites" aside={quota(sites.length, most.sites)}>
              <SiteTable sites={sites} />
            </Section>
          )}
          {(files.files.length > 0 || cursor) && (
            <Section
              title="Files"
              aside={quota(formatBytes(files.usedBytes), files.maxBytes && formatBytes(files.maxBytes))}
            >
              <FileTable files={files.files} />
              <Pager
                older={files.nextCursor && `/library?cursor=${files.nextCursor}`}
                newest={cursor ? '/library' : null}
              />
            </Section>
          )}
        </div>
      )}
    </>
  )
}
