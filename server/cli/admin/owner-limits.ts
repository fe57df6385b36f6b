import type { KeyView } from '../../keys/shape'
import { COMMAND_LINE } from '../../operators/operator'
import { changeOwnerLimits, readOwnerLimits, type UsedLimit, type UsedOwnerLimit } from '../../operators/owner-limits'
import { OwnerLimitsRequest } from '../../operators/shape'
import { everyKey } from './keys'
import { type AdminCommand, type CommandOptions, integerOption, ownerOption, readOptions } from './options'

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

/** A limit's option: `none` is `null`, which stands for the default; undefined when not given. */
const limitOption = (options: CommandOptions, name: string, none: string): number | null | undefined =>
  options[name] === none ? null : integerOption(options, name)

/** Sets what the options name. Returns whether they named anything. */
async function change(ownerId: number, options: CommandOptions): Promise<boolean> {
  if (!['rpm', 'concurrency', 'daily'].some((name) => options[name] !== undefined)) return false
  const request = readOptions(OwnerLimitsRequest, {
    ownerId,
    requestsPerMinute: limitOption(options, 'rpm', 'default'),
    callsInProgress: limitOption(options, 'concurrency', 'default'),
    creditsPerDay: limitOption(options, 'daily', 'none'),
  })
  await changeOwnerLimits(COMMAND_LINE, request)
  return true
}

const whose = ({ isDefault }: UsedOwnerLimit, setting: string) =>
  isDefault ? `${setting}, the default` : 'its own limit'

export const ownerLimitsCommand: AdminCommand = {
  name: 'owner limits',
  usage:
    '--email E [--rpm N|default] [--concurrency N|default] [--daily CREDITS|none]   (over all its keys; without them: what it may do, what of that is used now, and the limits of its keys)',
  options: {
    email: { type: 'string' },
    rpm: { type: 'string' },
    concurrency: { type: 'string' },
    daily: { type: 'string' },
  },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const isChanged = await change(id, options)
    const [{ requestsOfKeys, ...limits }, all] = await Promise.all([readOwnerLimits(id), everyKey(id)])
    const keys = all
      .filter(({ state }) => state !== 'revoked')
      .map((key) => ({ ...key, requestsPerMinute: { most: key.rpm, used: requestsOfKeys.get(key.id) ?? 0 } }))
    const { requestsPerMinute, callsInProgress, creditsPerDay, credits } = limits
    const lines = [
      `Owner ${id}, ${email}${isChanged ? '; from its next call on:' : ''}`,
      `${requestsPerMinute.used} of ${requestsPerMinute.most} requests in this minute (${whose(requestsPerMinute, 'OWNER_RPM')})`,
      `${callsInProgress.used} of ${callsInProgress.most} calls in progress, steps of agent runs aside (${whose(callsInProgress, 'OWNER_CONCURRENCY')})`,
      creditsPerDay
        ? `${creditsPerDay.spent} spent and ${creditsPerDay.held} held of ${creditsPerDay.credits} credits a day, until ${creditsPerDay.resetsAt}`
        : 'No limit of credits a day',
      `${credits.available} credits available, ${credits.held} held`,
      ...keys.map((key) => keyLine(key, key.requestsPerMinute)),
    ]
    return { data: { id, email, ...limits, keys }, text: lines.join('\n') }
  },
}
