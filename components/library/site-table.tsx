import Link from 'next/link'
import { Badge } from '../ui/badge'
import { cn } from '../ui/cn'
import { formatBytes } from '../ui/format-bytes'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { MadeBy } from './made-by'
import type { ShownSite } from './shape'

/** What visitors get of a site. */
export const SiteBadge = ({ live }: Pick<ShownSite, 'live'>) =>
  live === null ? <Badge tone="plain">Taken down</Badge> : <Badge tone="good">Version {live} is public</Badge>

/** An account's sites; a row links to the site's page. */
export const SiteTable = ({ sites }: { sites: readonly ShownSite[] }) => (
  <KeyboardRows>
    <DataTable label="Sites">
      <Head>
        <Th>Site</Th>
        <Th>Visitors get</Th>
        <Th right wide>
          Size
        </Th>
        <Th wide>Made by</Th>
        <Th>Newest version</Th>
      </Head>
      <tbody>
        {sites.map(({ slug, live, versions: [newest], jobId }) => (
          <Row key={slug}>
            <Td className="min-w-36">
              <Link
                href={`/library/sites/${slug}`}
                data-row-go
                prefetch={false}
                className={cn('font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
              >
                {slug}
              </Link>
            </Td>
            <Td>
              <SiteBadge live={live} />
            </Td>
            <Td right wide className="num text-muted">
              {newest ? formatBytes(newest.bytes) : ''}
            </Td>
            <Td wide>
              <MadeBy jobId={jobId} what={slug} />
            </Td>
            <Td className="text-muted">{newest && <TimeAgo at={newest.createdAt} />}</Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
