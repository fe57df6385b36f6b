import type { Metadata } from 'next'
import { ProcessTable } from '@/components/operators/process-table'
import { RunTable } from '@/components/operators/run-table'
import { StateNumbers } from '@/components/operators/state-numbers'
import { Notice, Section, Title } from '@/components/ui/page'
import { TimeAgo } from '@/components/ui/time-ago'
import { operatorsApi } from '../../operators-api'

export const metadata: Metadata = { title: 'Workers and runs' }

export default async function WorkersPage() {
  const { processes, versions, queue, counts, running, awaiting } = await (await operatorsApi()).workers()
  const runsOf = (status: string) => counts.find((row) => row.status === status)?.runs ?? 0
  const none = (text: string) => <p className="text-muted">{text}</p>
  return (
    <>
      <Title title="Workers and runs" note="The processes of this installation, and the agent runs they work on." />
      <div className="grid gap-8">
        <StateNumbers
          rows={[
            ['Runs in progress', runsOf('running')],
            ['Runs that wait for an answer', runsOf('awaiting_input')],
            ['Messages that wait for a worker', queue.waiting],
            ['Completed today', runsOf('completed')],
            ['Failed today', runsOf('failed')],
            ['Cancelled today', runsOf('cancelled')],
          ]}
          note={
            queue.oldest === null ? (
              'No message waits. “Today” is the last 24 hours.'
            ) : (
              <>
                The oldest message has waited since <TimeAgo at={queue.oldest} />. “Today” is the last 24 hours.
              </>
            )
          }
        />
        <Section title="Longest in progress">
          {running.length > 0 ? <RunTable rows={running} withOwner /> : none('No run is in progress.')}
        </Section>
        <Section title="Longest waiting for an answer">
          {awaiting.length > 0 ? <RunTable rows={awaiting} withOwner /> : none('No run waits for an answer.')}
        </Section>
        <Section title="Processes">
          {versions.length > 1 && (
            <div className="mb-3">
              <Notice tone="warn">
                Not all processes serve the same release: {versions.join(', ')}. While an upgrade goes on that is in
                order.
              </Notice>
            </div>
          )}
          {processes.length > 0 ? <ProcessTable rows={processes} /> : none('No process was seen in the last hour.')}
        </Section>
      </div>
    </>
  )
}
