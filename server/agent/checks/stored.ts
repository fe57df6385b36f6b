import { z } from 'zod'
import { Check, type CheckTotals, CheckVerdict, type RunCheck } from './shape'

/** What came of a check that was tested. */
export const CheckOutcome = z.object({
  verdict: CheckVerdict,
  reason: z.string().nullable(),
  creditsCharged: z.int(),
  requestId: z.string().nullable(),
})
export type CheckOutcome = z.infer<typeof CheckOutcome>

/** A check as its turn keeps it. */
export const StoredCheck = z.object({ check: Check, outcome: CheckOutcome.nullable() })
export type StoredCheck = z.infer<typeof StoredCheck>

/** The checks of a turn; null: it has none. */
export const StoredChecks = z.array(StoredCheck).nullable()

/** Checks that nothing has come of yet, for the row of a turn. */
export const untested = (checks: readonly Check[]): StoredCheck[] => checks.map((check) => ({ check, outcome: null }))

const UNTESTED = { verdict: null, reason: null, creditsCharged: 0, requestId: null }

/** The checks of a run as its job and its webhook show them; nothing of a run without. */
export function viewChecks(stored: unknown): { checks?: RunCheck[] } {
  const checks = StoredChecks.parse(stored ?? null)
  return checks ? { checks: checks.map(({ check, outcome }) => ({ ...check, ...(outcome ?? UNTESTED) })) } : {}
}

/** The same as lists show them. */
export function viewCheckTotals(stored: unknown): { checks?: CheckTotals } {
  const checks = StoredChecks.parse(stored ?? null)
  if (!checks) return {}
  const count = (verdict: CheckVerdict | undefined) =>
    checks.filter(({ outcome }) => outcome?.verdict === verdict).length
  return {
    checks: { passed: count('passed'), failed: count('failed'), errors: count('error'), untested: count(undefined) },
  }
}

/** What the judges of a turn have cost so far, in credits. */
export const creditsOfChecks = (checks: readonly StoredCheck[] | null): number =>
  (checks ?? []).reduce((sum, { outcome }) => sum + (outcome?.creditsCharged ?? 0), 0)
