import type { KeyState, KeyView } from '@/server/keys/shape'
import { Credits, formatCredits } from '../ui/amount'
import { Badge, type Tone } from '../ui/badge'
import { cn } from '../ui/cn'
import { Meter } from '../ui/meter'

const TONES: Record<KeyState, Tone> = { active: 'accent', revoked: 'plain', expired: 'plain', spent: 'warn' }
const WORDS: Record<KeyState, string> = {
  active: 'active',
  revoked: 'revoked',
  expired: 'expired',
  spent: 'budget spent',
}

export const KeyStateBadge = ({ state }: { state: KeyState }) => <Badge tone={TONES[state]}>{WORDS[state]}</Badge>

/** What remains of a key's budget, as a bar and in numbers. */
export function KeyBudget({ of }: { of: Pick<KeyView, 'budget' | 'spent' | 'held' | 'remaining'> }) {
  const { budget, spent, held, remaining } = of
  if (budget === null) {
    return (
      <span className="whitespace-nowrap">
        <Credits value={spent} /> <span className="text-muted">spent, no budget</span>
      </span>
    )
  }
  const available = Math.max(remaining ?? 0, 0)
  return (
    <div className="grid gap-1">
      <span className={cn('whitespace-nowrap', available < budget / 10 && 'text-warn')}>
        <Credits value={available} /> <span className="text-muted">left of {formatCredits(budget)}</span>
      </span>
      <Meter
        label="Budget"
        whole={budget}
        spent={spent}
        reserved={held}
        low={available < budget / 10}
        className="max-w-48"
      />
    </div>
  )
}
