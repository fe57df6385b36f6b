import {
  Brain,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  Flag,
  Hand,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Wrench,
} from 'lucide-react'
import type { JobStatus, StepKind } from '@/server/agent/shape'
import { Badge, type Tone } from '../ui/badge'

const STATUS: Record<JobStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  running: { word: 'Running', tone: 'accent', icon: CircleDashed },
  awaiting_input: { word: 'Waiting for you', tone: 'warn', icon: Hand },
  completed: { word: 'Completed', tone: 'plain', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'bad', icon: CircleX },
  cancelled: { word: 'Cancelled', tone: 'plain', icon: CircleSlash },
}

/** Every status with its label, in the order of the filter. */
export const JOB_STATUSES = Object.entries(STATUS).map(([id, { word }]) => ({ id: id as JobStatus, word }))

/** A job's status as a badge. `others`: a job for which whoever looks cannot answer. */
export function JobBadge({ status, others = false }: { status: JobStatus; others?: boolean }) {
  const { word, tone, icon: Icon } = STATUS[status]
  return (
    <Badge tone={others && status === 'awaiting_input' ? 'plain' : tone}>
      <Icon className="size-3" aria-hidden /> {others && status === 'awaiting_input' ? 'Waiting for its owner' : word}
    </Badge>
  )
}

/** Icon and label of each step kind; a tool call is labelled with its name. */
export const STEP_LABELS: Record<StepKind, { icon: LucideIcon; word: string }> = {
  model: { icon: Brain, word: 'Model' },
  tool: { icon: Wrench, word: '' },
  question: { icon: CircleHelp, word: 'Question' },
  plan: { icon: ListChecks, word: 'Plan' },
  summary: { icon: ScrollText, word: 'History summary' },
  wrap_up: { icon: Flag, word: 'Final summary' },
}
