import type { Metadata } from 'next'
import Link from 'next/link'
import { JobBadge } from '@/components/jobs/labels'
import { RunActs } from '@/components/operators/run-acts'
import { Credits } from '@/components/ui/amount'
import { ShortId } from '@/components/ui/copy'
import { Card, Facts, Section, Title } from '@/components/ui/page'
import { ExactTime, TimeAgo } from '@/components/ui/time-ago'
import { loadRun } from '../../operators-api'

export const metadata: Metadata = { title: 'Run' }

export default async function OperatorRunPage({ params }: { params: Promise<{ jobId: string }> }) {
  const run = await loadRun((await params).jobId)
  return (
    <>
      <Title
        title="Run"
        note={
          <>
            A run of{' '}
            <Link href={`/operators/owners/${run.ownerId}`} className="text-accent underline underline-offset-2">
              {run.ownerEmail}
            </Link>
            . What it was asked and what it found is not shown to operators.
          </>
        }
      />
      <div className="grid max-w-[720px] gap-8">
        <Card>
          <Facts
            rows={[
              ['Status', <JobBadge key="s" status={run.status} others />],
              ['Mode', run.mode === 'interactive' ? 'Interactive' : 'Autonomous'],
              [
                'Model',
                <span key="m" className="num">
                  {run.model}
                </span>,
              ],
              [
                'Steps',
                <span key="n" className="num">
                  {run.steps}
                </span>,
              ],
              ['Spent', <Credits key="c" value={run.creditsSpent} unit />],
              ['Begun', <ExactTime key="b" at={run.createdAt} />],
              ['Last change', <TimeAgo key="u" at={run.updatedAt} />],
              ['Job id', <ShortId key="j" id={run.jobId} />],
              ['Run id', <ShortId key="r" id={run.runId} />],
            ]}
          />
        </Card>
        <Section title="Actions">
          <RunActs of={run} />
        </Section>
      </div>
    </>
  )
}
