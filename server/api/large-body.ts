import { getBalance } from '../credits/balance'
import { insufficientCredits } from '../credits/reserve'
import { requireScope } from '../keys/grants'
import type { ResponseMeta } from './context'

/** What an empty balance shows, without its credits. */
const BALANCE = { id: 'balance', name: 'Balance', window: 'lifetime', spent: 0, resetsAt: null } as const

/** What is known of a request for a completion before its body is read. */
type BeforeBody = { caller?: ResponseMeta['caller']; mayReplay: boolean }

/**
 * Refuses what no body could make right before a large one of a completion is read: a key that may
 * not use models, and, unless a stored answer may be replayed, an account whose credits are spent.
 * Throws `forbidden` or `insufficient_credits`.
 */
export async function checkBeforeLargeBody({ caller, mayReplay }: BeforeBody): Promise<void> {
  if (!caller) return
  requireScope(caller.grants, 'llm')
  if (mayReplay) return
  const { available, held } = await getBalance(caller.ownerId)
  if (available + held <= 0)
    throw insufficientCredits('balance', 1n, {
      amount: String(available),
      held: null,
      short: { ...BALANCE, cap: available + held, held },
    })
}
