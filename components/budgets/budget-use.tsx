import { Credits, formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { Meter } from '../ui/meter'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import { type ShownBudget, WINDOWS } from './shape'

/** When a budget begins anew. */
export const Resets = ({ at }: { at: string | null }) =>
  at ? (
    <>
      Begins anew <TimeAgo at={at} />, <ExactTime at={at} />
    </>
  ) : (
    <>Never begins anew</>
  )

/** What a budget leaves, in numbers and as a bar; where each customer counts, what all used. */
export function BudgetUse({ of: { name, credits, window, spent, held, scope } }: { of: ShownBudget }) {
  if (scope.customers === 'each')
    return (
      <span>
        <Credits value={spent} />{' '}
        <span className="text-muted">
          spent{held > 0 && `, ${formatCredits(held)} reserved`} · {formatCredits(credits)} {WINDOWS[window]} each
        </span>
      </span>
    )
  const left = Math.max(0, credits - spent - held)
  const low = left < credits / 10
  return (
    <div className="grid gap-1">
      <span className={cn(low && 'text-warn')}>
        <Credits value={left} />{' '}
        <span className="text-muted">
          left of {formatCredits(credits)} {WINDOWS[window]}
        </span>
      </span>
      <Meter label={name} whole={credits} spent={spent} reserved={held} low={low} className="max-w-64" />
    </div>
  )
}
