import type { Settlement, SettleRequest } from '../../credits/settlement'
import type { ToolArtifact } from '../../tools/artifact'
import type { StepKind } from '../shape'

export type StepOutcome = {
  output?: unknown
  error?: { code: string; message: string }
  /** What the step made that people can use. */
  artifacts?: readonly ToolArtifact[]
}

/** A step that has run and is not committed yet. */
export type StepDraft = {
  index: number
  kind: StepKind
  name: string
  input: unknown
  startedAt: Date
  /** null: the step cost nothing and held nothing. */
  settlement: SettleRequest | null
  /** The outcome, which depends on nothing but how the hold was settled. */
  outcome: (settled: Settlement | null) => StepOutcome
}

/**
 * How a hold was settled: `limited`, the credits ran out during the call; `expired`, the hold was
 * void already.
 */
export type SettlementVariant = 'settled' | 'limited' | 'expired'

const SETTLED: Settlement = { charged: 0n, expired: false, limit: null }
const SETTLEMENTS: Record<SettlementVariant, Settlement> = {
  settled: SETTLED,
  limited: { ...SETTLED, limit: 'balance' },
  expired: { ...SETTLED, expired: true },
}

/** The outcome of a step whose hold was settled this way. */
export const stepOutcomeFor = ({ settlement, outcome }: StepDraft, variant: SettlementVariant): StepOutcome =>
  outcome(settlement && SETTLEMENTS[variant])

/** The outcomes that differ from the usual one. Only metered calls can be limited. */
export function variantOutcomes(draft: StepDraft): Partial<Record<SettlementVariant, StepOutcome>> | null {
  const { settlement } = draft
  if (!settlement) return null
  const usual = stepOutcomeFor(draft, 'settled')
  const variants: SettlementVariant[] = settlement.extend ? ['limited', 'expired'] : ['expired']
  const others = variants
    .map((variant) => [variant, stepOutcomeFor(draft, variant)] as const)
    .filter(([, { output, error }]) => output !== usual.output || error?.message !== usual.error?.message)
  return others.length > 0 ? Object.fromEntries(others) : null
}
