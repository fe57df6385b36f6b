import Link from 'next/link'
import { JobBadge } from '../jobs/labels'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import type { OperatorRun } from './views'

/** Runs without what they were asked; a row links to the run's page. `withOwner`: of any owner. */
export const RunTable = ({ rows, withOwner = false }: { rows: readonly OperatorRun[]; withOwner?: boolean }) => (
  <DataTable label="Runs">
    <Head>
      <Th>Begun</Th>
      <Th>{withOwner ? 'Owner' : 'Job'}</Th>
      <Th wide>Status</Th>
      <Th wide>Model</Th>
      <Th wide right>
        Steps
      </Th>
      <Th wide>Last change</Th>
      <Th right>Credits</Th>
    </Head>
    <tbody>
      {rows.map((run) => (
        <Row key={run.jobId}>
          <Td className="text-muted">
            <TimeAgo at={run.createdAt} />
          </Td>
          <Td className="min-w-0 wrap-anywhere">
            <Link href={`/operators/runs/${run.jobId}`} className={cn(!withOwner && 'num', coversRow)}>
              {withOwner ? run.ownerEmail : `${run.jobId.slice(0, 8)}…${run.jobId.slice(-4)}`}
            </Link>
            <span className="mt-1 block lg:hidden">
              <JobBadge status={run.status} others />
            </span>
          </Td>
          <Td wide>
            <JobBadge status={run.status} others />
          </Td>
          <Td wide className="num text-muted">
            {run.model}
          </Td>
          <Td wide right className="num">
            {run.steps}
          </Td>
          <Td wide className="text-muted">
            <TimeAgo at={run.updatedAt} />
          </Td>
          <Td right>
            <Credits value={run.creditsSpent} />
          </Td>
        </Row>
      ))}
    </tbody>
  </DataTable>
)
