import { Badge } from '../ui/badge'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorSettings } from './views'

type Row = OperatorSettings['processes'][number]

const KINDS = { web: 'Web', worker: 'Worker' } as const

function State({ of }: { of: Row }) {
  if (of.isLeaving) return <Badge>Finishes its calls</Badge>
  return of.launcher ? <Badge tone="good">Serves</Badge> : <Badge tone="warn">Needs a restart to read</Badge>
}

/** Which settings each process has, and since when. */
export const SettingsProcessTable = ({ rows }: { rows: readonly Row[] }) => (
  <DataTable label="Processes and their settings">
    <Head>
      <Th>Process</Th>
      <Th>Settings</Th>
      <Th wide>Read</Th>
      <Th wide>Release</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b align-top last:border-b-0">
          <Td className="align-top wrap-anywhere">
            <p className="font-medium">{KINDS[row.kind]}</p>
            <p className="num text-caption text-muted">
              {row.host} · {row.pid}
            </p>
          </Td>
          <Td className="align-top">
            <p className="flex flex-wrap items-center gap-2">
              <span className="num">{row.settings ?? 'as at its start'}</span>
              <State of={row} />
            </p>
            <p className="text-caption text-muted lg:hidden">
              read <TimeAgo at={row.readAt} />
            </p>
          </Td>
          <Td wide className="align-top text-muted">
            <TimeAgo at={row.readAt} />
          </Td>
          <Td wide className="num align-top text-muted">
            {row.version}
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
