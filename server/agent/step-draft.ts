import type { Settlement, SettleRequest } from '../credits/settlement'
import type { StepKind } from './shape'

/** What a step has come to, known once its charge is. */
export type Outcome = { output?: unknown; error?: { code: string; message: string } }

/** A step that has happened and is not written yet. */
export type StepDraft = {
  index: number
  kind: StepKind
  name: string
  input: unknown
  startedAt: Date
  /** null: it cost nothing and held nothing. */
  settlement: SettleRequest | null
  /** What it came to, by how it was settled. Depends on nothing else. */
  outcome: (settled: Settlement | null) => Outcome
}

/** How a step's hold may be settled: `limited`, the credits ran out during the call; `expired`, the hold was void. */
export type Variant = 'settled' | 'limited' | 'expired'

const SETTLED: Settlement = { charged: 0n, expired: false, limit: null }
const SETTLEMENTS: Record<Variant, Settlement> = {
  settled: SETTLED,
  limited: { ...SETTLED, limit: 'balance' },
  expired: { ...SETTLED, expired: true },
}

/** What a step comes to where its hold is settled this way. */
export const outcomeFor = ({ settlement, outcome }: StepDraft, variant: Variant): Outcome =>
  outcome(settlement && SETTLEMENTS[variant])

/** The outcomes that differ from that of a step which is settled as usual. Only metered calls can be limited. */
export function otherOutcomes(draft: StepDraft): Partial<Record<Variant, Outcome>> | null {
  const { settlement } = draft
  if (!settlement) return null
  const usual = outcomeFor(draft, 'settled')
  const variants: Variant[] = settlement.extend ? ['limited', 'expired'] : ['expired']
  const others = variants
    .map((variant) => [variant, outcomeFor(draft, variant)] as const)
    .filter(([, { output, error }]) => output !== usual.output || error?.message !== usual.error?.message)
  return others.length > 0 ? Object.fromEntries(others) : null
}
