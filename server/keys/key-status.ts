import { z } from 'zod'
import { KeyLimit } from '../credits/limit-state'
import { CallLimit, CreditBalance, DayLimit } from '../credits/shape'
import { KeyView } from './shape'

/** What the account alone knows of a key. */
const OF_ITS_ACCOUNT = { rotation: true, revokedAt: true, management: true, externalId: true, madeBy: true } as const

/** A key as its caller sees it, with what it can still spend. */
export const KeyStatus = KeyView.omit(OF_ITS_ACCOUNT).extend({
  balance: CreditBalance.describe("The owner's credits"),
  dailyLimit: DayLimit.nullable().describe('What all keys of the account may spend a day; null: no limit'),
  left: z
    .object({ credits: z.int(), limitedBy: CallLimit })
    .describe('Credits this key can still spend, and which limit is reached first'),
  limits: z
    .array(KeyLimit)
    .describe(
      'Every limit that a call of this key meets, whatever it calls, as a refusal would show it: balance, the daily limit, its own budgets and budgets of the account',
    ),
  rate: z
    .object({ limit: z.int(), remaining: z.int(), resetS: z.int() })
    .describe("The key's rate limit: requests a minute, requests left, seconds until it resets"),
})
