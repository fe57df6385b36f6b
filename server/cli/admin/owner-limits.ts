import type { KeyView } from '../../keys/shape'
import { readOwnerLimits, type UsedLimit } from '../../operators/owner-limits'
import { everyKey } from './keys'
import { type AdminCommand, ownerOption } from './options'

const budgetText = ({ spent, held, budget, recurringBudget }: KeyView) =>
  [
    `${spent} spent and ${held} held of ${budget ?? 'no budget'}`,
    recurringBudget &&
      `${recurringBudget.spent} spent and ${recurringBudget.held} held of ${recurringBudget.credits} a ${recurringBudget.every}`,
  ]
    .filter(Boolean)
    .join('; ')

const keyLine = (key: KeyView, requests: UsedLimit) =>
  [
    key.id,
    key.name,
    `…${key.last4}`,
    key.state,
    `${requests.used} of ${requests.most}/min`,
    budgetText(key),
    key.agent && `${key.agentRunBudgetCredits} a run`,
    key.expiresAt && `until ${key.expiresAt}`,
  ]
    .filter(Boolean)
    .join('\t')

export const ownerLimitsCommand: AdminCommand = {
  name: 'owner limits',
  usage: '--email E   (what it may do at once, what of that is used now, and the limits of its keys)',
  options: { email: { type: 'string' } },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const [{ requestsOfKeys, ...limits }, all] = await Promise.all([readOwnerLimits(id), everyKey(id)])
    const keys = all
      .filter(({ state }) => state !== 'revoked')
      .map((key) => ({ ...key, requestsPerMinute: { most: key.rpm, used: requestsOfKeys.get(key.id) ?? 0 } }))
    const { requestsPerMinute, callsInProgress, credits } = limits
    const lines = [
      `Owner ${id}, ${email}`,
      `${requestsPerMinute.used} of ${requestsPerMinute.most} requests in this minute (OWNER_RPM, for every owner)`,
      `${callsInProgress.used} of ${callsInProgress.most} calls in progress, steps of agent runs aside (OWNER_CONCURRENCY, for every owner)`,
      `${credits.available} credits available, ${credits.held} held`,
      ...keys.map((key) => keyLine(key, key.requestsPerMinute)),
    ]
    return { data: { id, email, ...limits, keys }, text: lines.join('\n') }
  },
}
