import type { ReactNode } from 'react'
import { JsonView } from '../catalog/json-view'
import { CopyButton } from '../ui/copy'
import { TimeAgo } from '../ui/time-ago'
import { AgentText } from './agent-text'
import { StartedBy } from './event-row'
import { AttachedFiles } from './goal-files'
import { JobBadge } from './labels'
import type { JobAnswer, JobStep, JobTurn } from './shape'
import { TurnSteps } from './turn-steps'
import { Verdicts } from './verdicts'

type Props = { turn: JobTurn; steps: JobStep[]; answers: JobAnswer[]; again?: string }

/** So long a goal is shown whole; of a longer one the beginning, which opens. */
const WHOLE_GOAL_CHARS = 600

/** What was asked for. */
export function TurnGoal({ goal }: { goal: string }) {
  const isLong = goal.length > WHOLE_GOAL_CHARS || goal.split('\n').length > 8
  const text = 'px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap'
  if (!isLong) {
    return (
      <section aria-label="What was asked" className="min-w-0 rounded border bg-sunken">
        <p className={text}>{goal}</p>
      </section>
    )
  }
  return (
    <details className="group min-w-0 rounded border bg-sunken">
      <summary className="flex items-baseline gap-2 rounded px-3 py-1.5 text-table group-open:border-b">
        <span className="font-medium text-muted">Goal</span>
        <span className="line-clamp-3 min-w-0 flex-1 [overflow-wrap:anywhere] group-open:invisible">{goal}</span>
      </summary>
      <p className={text}>{goal}</p>
    </details>
  )
}

/** What came of a run, as text or as the value of its schema. */
export function TurnResult({ turn, idPrefix }: { turn: JobTurn & { result: string }; idPrefix?: string }) {
  const title = { failed: 'Why it failed', cancelled: 'Before it was cancelled' }[String(turn.status)] ?? 'Result'
  return (
    <section aria-label={`Result of turn ${turn.number}`} className="rounded border bg-raised p-4">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="text-table font-medium text-muted">{title}</h3>
        <CopyButton text={turn.result} />
      </div>
      {turn.output === undefined ? (
        <AgentText text={turn.result} idPrefix={idPrefix} />
      ) : (
        <JsonView text={JSON.stringify(turn.output, null, 2)} />
      )}
    </section>
  )
}

const About = ({ turn }: { turn: JobTurn }) => (
  <p className="text-caption text-muted [overflow-wrap:anywhere]">
    <StartedBy turn={turn} />, <TimeAgo at={turn.createdAt} />: <span className="num">{turn.model}</span>, {turn.mode},{' '}
    {turn.agent} agent
  </p>
)

/**
 * The latest turn: what it asks or does (`now`) before all else, its goal and its result; then what
 * it made, and its steps. A goal that is the page's `title` is not repeated.
 */
export function LatestTurn({
  turn,
  steps,
  answers,
  again,
  title,
  now,
  made,
}: Props & { title: string; now: ReactNode; made: ReactNode }) {
  return (
    <article aria-label={`Turn ${turn.number}`} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className={turn.number > 1 ? 'font-semibold' : 'sr-only'}>Turn {turn.number}</h2>
      {now}
      {turn.goal.trim() !== title && <TurnGoal goal={turn.goal} />}
      <AttachedFiles files={turn.attachments} />
      {turn.result !== null && <TurnResult turn={{ ...turn, result: turn.result }} />}
      <Verdicts turn={turn} />
      {made}
      <TurnSteps turn={turn} steps={steps} answers={answers} isLive={turn.endedAt === null} again={again} />
      <About turn={turn} />
    </article>
  )
}

/** An earlier turn: one line, which opens to its result and steps. */
export const EarlierTurn = ({ turn, steps, answers, again }: Props) => (
  <li className="border-b last:border-b-0">
    <details className="group min-w-0">
      <summary className="flex items-center gap-3 px-3 py-2 text-table">
        <span className="shrink-0 font-medium">Turn {turn.number}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{turn.goal}</span>
        <JobBadge status={turn.status} />
      </summary>
      <article aria-label={`Turn ${turn.number}`} className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pb-3">
        <TurnGoal goal={turn.goal} />
        <AttachedFiles files={turn.attachments} />
        {turn.result !== null && <TurnResult turn={{ ...turn, result: turn.result }} />}
        <Verdicts turn={turn} />
        <TurnSteps turn={turn} steps={steps} answers={answers} isLive={false} again={again} />
        <About turn={turn} />
      </article>
    </details>
  </li>
)
