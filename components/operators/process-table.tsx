import { formatCredits } from '../ui/amount'
import { Badge } from '../ui/badge'
import { ShortId } from '../ui/copy'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorProcess } from './views'

const KINDS = { web: 'Web', worker: 'Worker' } as const
const STATES = {
  alive: <Badge tone="good">Alive</Badge>,
  leaving: <Badge>Finishes its calls</Badge>,
  ended: <Badge>Ended</Badge>,
  lost: <Badge tone="bad">Not seen</Badge>,
} as const

function Name({ of: { id, about } }: { of: OperatorProcess }) {
  if (!about)
    return (
      <>
        <p className="font-medium">Step of a run</p>
        <ShortId id={id} />
      </>
    )
  return (
    <>
      <p className="font-medium">{KINDS[about.kind]}</p>
      <p className="num text-caption text-muted">
        {about.host} · {about.pid}
      </p>
      <p className="num text-caption text-muted lg:hidden">{about.version}</p>
    </>
  )
}

function State({ of: { state, seenAt, about } }: { of: OperatorProcess }) {
  return (
    <>
      {STATES[state]}
      <p className="mt-1 text-caption text-muted">
        {state === 'lost' ? 'not seen since ' : 'seen '}
        <TimeAgo at={seenAt} />
      </p>
      {about && about.unwritten > 0 && (
        <p className="text-caption text-warn">{formatCredits(about.unwritten)} charges not written yet</p>
      )}
    </>
  )
}

/** Processes of the installation: what each is, how it is, and what it has in hand. */
export const ProcessTable = ({ rows }: { rows: readonly OperatorProcess[] }) => (
  <DataTable label="Processes">
    <Head>
      <Th>Process</Th>
      <Th>State</Th>
      <Th wide>Release</Th>
      <Th wide>Started</Th>
      <Th right>Calls</Th>
      <Th right>Runs</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b align-top last:border-b-0">
          <Td className="align-top wrap-anywhere">
            <Name of={row} />
          </Td>
          <Td className="align-top">
            <State of={row} />
          </Td>
          <Td wide className="num align-top wrap-anywhere text-muted">
            {row.about?.version ?? '–'}
          </Td>
          <Td wide className="align-top text-muted">
            {row.about?.startedAt ? <TimeAgo at={row.about.startedAt} /> : '–'}
          </Td>
          <Td right className="num align-top">
            {row.holds}
          </Td>
          <Td right className="num align-top">
            {row.runs}
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
