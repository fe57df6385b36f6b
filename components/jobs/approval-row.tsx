import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { TimeAgo } from '../ui/time-ago'
import type { JobAnswer } from './shape'

/** Who answered. */
export const answeredBy = ({ keyName }: JobAnswer): string => (keyName === null ? 'you' : `key ${keyName}`)

/** A person's decision about a call, in the timeline. */
export function ApprovalRow({ answer }: { answer: JobAnswer }) {
  const { approved, feedback, answeredAt } = answer
  const Icon = approved ? ThumbsUp : ThumbsDown
  return (
    <li className="flex items-center gap-2.5 border-b px-3 py-1.5 pl-7 text-table last:border-b-0">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{approved ? 'Approved' : 'Rejected'}</span> by {answeredBy(answer)},{' '}
        <TimeAgo at={answeredAt} className="text-muted" />
        {!approved && feedback && <span className="text-muted">: {feedback}</span>}
      </span>
    </li>
  )
}
