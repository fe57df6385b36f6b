import Link from 'next/link'
import type { ReactNode } from 'react'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { CopyButton } from '../ui/copy'
import { Meter, MeterLegend } from '../ui/meter'
import { Card } from '../ui/page'
import type { Conversation, JobTurn } from './shape'
import { STOPPED_BY } from './what-now'

/**
 * What a conversation has spent of its limit, what caching `saved`, and what its runs were started
 * with.
 */
export function JobFacts({
  job,
  turn,
  rate,
  saved,
}: {
  job: Conversation['job']
  turn: JobTurn | undefined
  rate: number
  saved: number
}) {
  const { creditsSpent } = job
  const { capCredits, maxCredits, stoppedBy } = job.budget
  const isStopped = stoppedBy === 'conversation'
  const { inputTokens, outputTokens } = job.usage
  const facts: (readonly [name: string, value: ReactNode])[] = [
    [
      'Model',
      <span key="model" className="num [overflow-wrap:anywhere]">
        {job.model}
      </span>,
    ],
    ...(turn
      ? [
          [
            'Key',
            <Link
              key="key"
              href={`/keys/${turn.keyId}`}
              className="underline underline-offset-2 [overflow-wrap:anywhere]"
            >
              {turn.keyName ?? turn.keyId}
            </Link>,
          ] as const,
        ]
      : []),
    ['Mode', job.mode],
    ...(job.rerunOf
      ? [
          [
            'Runs again',
            <Link key="of" href={`/jobs/${job.rerunOf}`} className="underline underline-offset-2">
              {job.fromStep == null ? 'Another run' : `Another run, from step ${job.fromStep}`}
            </Link>,
          ] as const,
        ]
      : []),
    ...(maxCredits === null ? [] : [['Limit of this run', <Credits key="max" value={maxCredits} unit />] as const]),
    ...Object.entries(job.metadata).map(([name, text]) => [name, text] as const),
    ['Capabilities', job.capabilities?.join(', ') ?? 'All enabled'],
    ['Tokens', `${formatCredits(inputTokens)} in, ${formatCredits(outputTokens)} out`],
    ...(job.memory.read.length + job.memory.remembered.length > 0
      ? [['Memory', <JobMemory key="memory" job={job} />] as const]
      : []),
    ...(saved > 0 ? [['Saved by caching', <Credits key="saved" value={saved} unit />] as const] : []),
  ]
  return (
    <Card className="grid gap-3">
      <div>
        <p>
          <Credits value={creditsSpent} unit className="font-semibold" /> of {formatCredits(capCredits)}
        </p>
        <Usd credits={creditsSpent} rate={rate} className="text-caption" />
      </div>
      <Meter label="Spend limit" whole={capCredits} spent={creditsSpent} low={isStopped} />
      <MeterLegend whole={capCredits} spent={creditsSpent} low={isStopped} />
      {stoppedBy && <p className="text-caption text-warn">{STOPPED_BY[stoppedBy]} left too little for another step.</p>}
      <dl className="grid gap-2 text-table">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link href={`/usage?job=${job.jobId}`} className="text-table text-accent underline underline-offset-2">
          Receipts of this job
        </Link>
        <CopyButton text={job.jobId} label="Copy job id" />
      </div>
    </Card>
  )
}

/** The notes that the latest run was given, and what it wrote into them. */
function JobMemory({ job: { memory, scheduleId } }: { job: Conversation['job'] }) {
  const places = {
    owner: { href: '/settings/agents#notes', label: 'your notes' },
    schedule: { href: `/jobs/schedules/${scheduleId}#notes`, label: 'notes of its schedule' },
  }
  const link = (of: keyof typeof places) => (
    <Link href={places[of].href} className="text-accent underline underline-offset-2">
      {places[of].label}
    </Link>
  )
  return (
    <span className="grid gap-1">
      {memory.read.map((of) => (
        <span key={of}>Given {link(of)}</span>
      ))}
      {memory.remembered.map(({ of, text }) => (
        <span key={text} className="wrap-anywhere">
          Remembered: {text} ({link(of)})
        </span>
      ))}
    </span>
  )
}
