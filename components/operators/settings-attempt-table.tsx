import { Badge } from '../ui/badge'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { changesText } from './settings-changes'
import type { OperatorSettings } from './views'

type Row = OperatorSettings['attempts'][number]

/** What came of reading the settings again, newest first: names of what changed, never values. */
export const SettingsAttemptTable = ({ rows }: { rows: readonly Row[] }) => (
  <DataTable label="Attempts to read the settings again">
    <Head>
      <Th>When</Th>
      <Th>What came of it</Th>
      <Th wide>Asked by</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b align-top last:border-b-0">
          <Td className="align-top text-muted">
            <TimeAgo at={row.at} />
          </Td>
          <Td className="min-w-0 align-top wrap-anywhere">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={row.isRefused ? 'bad' : 'good'}>{row.isRefused ? 'Refused' : 'Read'}</Badge>
              <span>{row.process}</span>
              <span className="num text-muted">{row.version}</span>
            </p>
            {row.problem && <p>{row.problem}</p>}
            <p className="text-caption text-muted">{changesText(row.changed)}</p>
          </Td>
          <Td wide className="align-top text-muted">
            {row.requests.length > 0 ? 'an operator' : 'a signal on its machine'}
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
