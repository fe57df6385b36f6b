import type { KeyView } from '@/server/keys/shape'
import { Credits, formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { Meter } from '../ui/meter'

/** The names of recurring budgets in their present period. */
export const PERIOD_BUDGET = { day: 'Budget of today', week: 'Budget of this week', month: 'Budget of this month' }

type BudgetProps = { label: string; of: { whole: number; spent: number; held: number }; period?: string }

/** What a budget leaves, in numbers and as a bar. */
function Left({ label, of: { whole, spent, held }, period = '' }: BudgetProps) {
  const left = Math.max(whole - spent - held, 0)
  const low = left < whole / 10
  return (
    <div className="grid gap-1">
      <span className={cn('lg:whitespace-nowrap', low && 'text-warn')}>
        <Credits value={left} />{' '}
        <span className="text-muted">
          left of {formatCredits(whole)}
          {period}
        </span>
      </span>
      <Meter label={label} whole={whole} spent={spent} reserved={held} low={low} className="max-w-48" />
    </div>
  )
}

/** What remains of a key's budgets, for a table. */
export function KeyBudget({ of: { budget, spent, held, recurringBudget } }: { of: KeyView }) {
  if (budget === null && recurringBudget === null) return <span className="text-muted">No budget</span>
  return (
    <div className="grid gap-1.5">
      {budget !== null && <Left label="Lifetime budget" of={{ whole: budget, spent, held }} />}
      {recurringBudget && (
        <Left
          label={PERIOD_BUDGET[recurringBudget.every]}
          of={{ whole: recurringBudget.credits, spent: recurringBudget.spent, held: recurringBudget.held }}
          period={` a ${recurringBudget.every}`}
        />
      )}
    </div>
  )
}
