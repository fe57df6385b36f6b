import { CircleHelp, CircleSlash, type LucideIcon, Play, ThumbsDown, ThumbsUp } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { TimeAgo } from '../ui/time-ago'
import type { JobAnswer, JobTurn } from './shape'
import type { TimelineEntry } from './timeline'

/** Who acted: the owner by e-mail address, at the dashboard, or a key by its name then. */
const WhoActed = ({ name, keyId }: { name: string | null; keyId: number | null }) =>
  keyId === null ? (
    <bdi className="[overflow-wrap:anywhere]">{name ?? 'the owner'}</bdi>
  ) : (
    <>
      key{' '}
      <Link href={`/keys/${keyId}`} className="underline underline-offset-2">
        <bdi className="[overflow-wrap:anywhere]">{name ?? keyId}</bdi>
      </Link>
    </>
  )

const KeyOfTurn = ({ turn: { keyId, keyName, startedBy, origin } }: { turn: JobTurn }) => (
  <WhoActed name={(origin === 'api' ? startedBy : null) ?? keyName} keyId={keyId} />
)

/** How a turn was started, and by whom. */
export function StartedBy({ turn }: { turn: JobTurn }) {
  switch (turn.origin) {
    case 'dashboard':
      return (
        <>
          Started by <WhoActed name={turn.startedBy} keyId={null} /> at the dashboard, under <KeyOfTurn turn={turn} />
        </>
      )
    case 'schedule':
      return (
        <>
          Started by a{' '}
          <Link href="/jobs/schedules" className="underline underline-offset-2">
            schedule
          </Link>
          , under <KeyOfTurn turn={turn} />
        </>
      )
    case 'api':
      return (
        <>
          Started with <KeyOfTurn turn={turn} /> over the API
        </>
      )
    case null:
      return (
        <>
          Started under <KeyOfTurn turn={turn} />
        </>
      )
    default:
      return turn.origin satisfies never
  }
}

type Asked = (TimelineEntry & { kind: 'answer' })['asked']

const ANSWERED: Record<Asked, { yes: string; no: string }> = {
  approval: { yes: 'Approved', no: 'Rejected' },
  plan: { yes: 'Plan approved', no: 'Plan sent back' },
  question: { yes: 'Answered', no: 'Answered' },
}

function Answered({ answer, asked }: { answer: JobAnswer; asked: Asked }) {
  const { approved, feedback, answeredBy, keyId, answeredAt } = answer
  const hasReason = feedback !== null && (asked === 'question' || !approved)
  return (
    <>
      <span className="font-medium">{ANSWERED[asked][approved ? 'yes' : 'no']}</span> by{' '}
      <WhoActed name={answeredBy} keyId={keyId} />
      {keyId === null ? ' at the dashboard' : ' over the API'}, <TimeAgo at={answeredAt} className="text-muted" />
      {hasReason && <span className="block whitespace-pre-wrap text-muted">{feedback}</span>}
    </>
  )
}

const whereOf = ({ by, keyId }: NonNullable<JobTurn['cancelled']>): string =>
  by === 'the operator' ? '' : keyId === null ? ' at the dashboard' : ' over the API'

/** Who cancelled a turn, and when. */
export const CancelledBy = ({ turn: { cancelled, endedAt } }: { turn: JobTurn }) => (
  <>
    <span className="font-medium">Cancelled</span>{' '}
    {cancelled && (
      <>
        by <WhoActed name={cancelled.by} keyId={cancelled.keyId} />
        {whereOf(cancelled)}
        {endedAt && ', '}
      </>
    )}
    {endedAt && <TimeAgo at={endedAt} className="text-muted" />}
  </>
)

const iconOf = (entry: Exclude<TimelineEntry, { kind: 'step' }>): LucideIcon => {
  if (entry.kind === 'started') return Play
  if (entry.kind === 'cancelled') return CircleSlash
  if (entry.asked === 'question') return CircleHelp
  return entry.answer.approved ? ThumbsUp : ThumbsDown
}

function textOf(entry: Exclude<TimelineEntry, { kind: 'step' }>): ReactNode {
  if (entry.kind === 'answer') return <Answered answer={entry.answer} asked={entry.asked} />
  if (entry.kind === 'cancelled') return <CancelledBy turn={entry.turn} />
  return (
    <>
      <StartedBy turn={entry.turn} />, <TimeAgo at={entry.turn.createdAt} className="text-muted" />
    </>
  )
}

/** What somebody did to a run, between its steps: started, answered or cancelled it. */
export function EventRow({ entry }: { entry: Exclude<TimelineEntry, { kind: 'step' }> }) {
  const Icon = iconOf(entry)
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-2.5 border-b px-3 py-1.5 text-table last:border-b-0">
      <Icon className="mt-0.5 size-4 text-muted" aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">{textOf(entry)}</span>
    </li>
  )
}
