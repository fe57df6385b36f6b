import type { ClientCall } from './call'
import type { LedgerState } from './ledger-state'

/** What a client knows of one call, however often it sent it. */
export type OneCall = ClientCall & { charges: number[] }

/**
 * Attempts of one Idempotency-Key as one call: what its client has is the first answer it got, and
 * what is charged is the request that the stored answer is of.
 */
export function asOneCall(calls: readonly ClientCall[], { storedBy }: Pick<LedgerState, 'storedBy'>): OneCall[] {
  const single = calls.filter(({ token }) => token === undefined).map((call) => ({ ...call, charges: [] }))
  const repeated = Map.groupBy(
    calls.filter(({ token }) => token !== undefined),
    ({ token }) => token,
  )
  const folded = [...repeated].map(([token, attempts]): OneCall => {
    const delivered = attempts.filter(({ isDelivered }) => isDelivered)
    const cut = attempts.filter(({ outcome }) => outcome === 'cut')
    const known = delivered[0] ?? cut[0] ?? (attempts.at(-1) as ClientCall)
    const startedAt = Math.min(...attempts.map((attempt) => attempt.startedAt))
    const ms = known.startedAt + known.ms - startedAt
    const requestId = storedBy.get(token ?? '') ?? known.requestId
    return { ...known, startedAt, ms, requestId, charges: delivered.flatMap(({ charged }) => charged ?? []) }
  })
  return [...single, ...folded]
}

/** The time of which a restored backup knows nothing, or only what had begun. */
export type LostTime = { from: number; to: number }

/** True when what a client knows may have been lost with a restore. */
export const mayBeLost = (lost: LostTime | null | undefined, startedAt: number, endedAt: number): boolean =>
  lost != null && startedAt < lost.to && endedAt > lost.from
