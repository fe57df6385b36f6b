import Link from 'next/link'
import { formatCredits as formatCount } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatBytes } from '../ui/format-bytes'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { MadeBy } from './made-by'
import type { ShownDataset } from './shape'

/** An account's datasets; a row links to the dataset's page. */
export const LibraryDatasets = ({ datasets }: { datasets: readonly ShownDataset[] }) => (
  <KeyboardRows>
    <DataTable label="Datasets">
      <Head>
        <Th>Dataset</Th>
        <Th right>Rows</Th>
        <Th right wide>
          Size
        </Th>
        <Th wide>Made by</Th>
        <Th>Changed</Th>
      </Head>
      <tbody>
        {datasets.map(({ name, rowCount, bytes, columns, jobId, updatedAt }) => (
          <Row key={name}>
            <Td className="max-w-64 min-w-36 lg:max-w-96">
              <Link
                href={`/library/datasets/${name}`}
                data-row-go
                prefetch={false}
                className={cn('font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
              >
                {name}
              </Link>
              <span className="block truncate text-caption text-muted">
                {columns.map((column) => column.name).join(', ')}
              </span>
            </Td>
            <Td right className="num">
              {formatCount(rowCount)}
            </Td>
            <Td right wide className="num text-muted">
              {formatBytes(bytes)}
            </Td>
            <Td wide>
              <MadeBy jobId={jobId} what={name} />
            </Td>
            <Td className="text-muted">
              <TimeAgo at={updatedAt} />
            </Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
