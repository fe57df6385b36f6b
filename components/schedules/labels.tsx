import {
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  type LucideIcon,
  RotateCw,
  SkipForward,
} from 'lucide-react'
import { Badge, type Tone } from '../ui/badge'
import type { Schedule, ScheduleRun } from './shape'

const RUN: Record<ScheduleRun['state'], { word: string; tone: Tone; icon: LucideIcon }> = {
  starting: { word: 'Starting', tone: 'accent', icon: RotateCw },
  running: { word: 'In progress', tone: 'accent', icon: RotateCw },
  waiting: { word: 'Waits for you', tone: 'warn', icon: CircleHelp },
  queued: { word: 'Queued', tone: 'plain', icon: Clock },
  completed: { word: 'Completed', tone: 'plain', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'bad', icon: CircleX },
  cancelled: { word: 'Cancelled', tone: 'plain', icon: CircleSlash },
  refused: { word: 'Not started', tone: 'bad', icon: CircleX },
  skipped: { word: 'Skipped', tone: 'plain', icon: SkipForward },
}

/** What became of a run of a schedule. */
export function ScheduleRunBadge({ state }: { state: ScheduleRun['state'] }) {
  const { word, tone, icon: Icon } = RUN[state]
  return (
    <Badge tone={tone}>
      <Icon className="size-3" aria-hidden /> {word}
    </Badge>
  )
}

/** Whether a schedule is active; one that waits, or that its owner did not pause, needs them. */
export const ScheduleBadge = ({ paused, waiting }: Pick<Schedule, 'paused' | 'waiting'>) =>
  waiting ? (
    <ScheduleRunBadge state="waiting" />
  ) : paused ? (
    <Badge tone={paused.by === 'owner' ? 'plain' : 'warn'}>
      <CirclePause className="size-3" aria-hidden /> Paused
    </Badge>
  ) : (
    <Badge tone="accent">
      <Clock className="size-3" aria-hidden /> Active
    </Badge>
  )

/** What becomes of the times that come while a run waits for an answer. */
export const WHEN_WAITING: Record<Schedule['whenWaiting'], string> = {
  skip: 'Skip the times that come',
  queue: 'Queue them, at most ten',
  answer_no: 'Answer no after some hours',
}

/** How a schedule goes on while a run of it waits, as a sentence. */
export const conductText = ({ whenWaiting, answerNoAfterHours: hours }: Schedule): string =>
  whenWaiting === 'answer_no'
    ? `Answer no after ${hours} ${hours === 1 ? 'hour' : 'hours'}, and skip the times before`
    : WHEN_WAITING[whenWaiting]
