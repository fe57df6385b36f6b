import { getAgentSettings } from '../../accounts/agent-settings'
import { readAccountLimits } from '../../credits/account-limits'
import { getBalance } from '../../credits/balance'
import { remainingCredits } from '../../credits/remaining'
import type { CallEstimate } from '../../credits/shape'
import { readSpendLimits } from '../../credits/spend-limit'
import { prisma } from '../../db'
import { getKey } from '../../keys/list'
import { isUuid } from '../../kit/id'
import type { ReadOptions } from '../../kit/pg-read'
import { findModel } from '../../models/registry'
import type { RunMode, RunPrice } from '../shape'
import { AUTO_MODEL, chooseModel } from './choose-model'
import { jobNotFound } from './read-job'
import { priceOfRun, readRunHistory, usualCost, withJudges } from './run-price'
import { MIN_CREDITS_TO_START } from './write-turn'

/** `least`: what must be free for the run to start. */
export type RunEstimate = CallEstimate & {
  most: number
  /** What a whole run of the model costs, with the models that judge its result. */
  range: RunPrice
  /** How many checks a model judges. */
  judges: number
  least: number
  model: string
  /** What is free under the key and the balance, and which of them is tighter. */
  free: number
  limitedBy: ReturnType<typeof remainingCredits>['limitedBy']
}

/**
 * What a run under a key may spend, and what runs of its model usually cost this owner. Throws
 * `not_found` for a key or conversation of another owner, and `unknown_model`.
 */
export async function estimateRun(
  ownerId: number,
  {
    keyId,
    model: asked,
    conversationId,
    mode,
    judges = [],
  }: { keyId: number; model?: string; conversationId?: string; mode?: RunMode; judges?: readonly string[] },
  options?: ReadOptions,
): Promise<RunEstimate> {
  const [key, balance, { day }, settings, spent] = await Promise.all([
    getKey(ownerId, keyId),
    getBalance(ownerId),
    readAccountLimits(ownerId),
    getAgentSettings(ownerId),
    spentBy(ownerId, conversationId),
  ])
  // For `auto` the price of the usual model, which no choice exceeds.
  const model = chooseModel({ settings }, { goal: '', model: asked === AUTO_MODEL ? undefined : asked })
  const budgets = {
    lifetime: key.remaining,
    period: key.recurringBudget?.remaining ?? null,
    day: day?.remaining ?? null,
  }
  const { credits, limitedBy } = remainingCredits(balance.available, budgets)
  const history = await readRunHistory({ ownerId, modelId: model.id, mode }, options)
  const usual = usualCost(history)
  const alone = priceOfRun(history, model)
  const judging = judges.flatMap((id) => findModel(id) ?? [])
  const range = withJudges(alone, judging)
  const verdicts = Math.round((range.from - alone.from + range.to - alone.to) / 2)
  const max = Math.max(0, key.agentRunBudgetCredits - spent)
  return {
    most: max,
    typical: usual === null ? null : Math.min(max, usual + verdicts),
    basis: 'receipts',
    range,
    judges: judging.length,
    least: Number(MIN_CREDITS_TO_START),
    model: model.id,
    free: Math.max(0, credits),
    limitedBy,
  }
}

/** What a conversation has spent; a new one nothing. */
async function spentBy(ownerId: number, conversationId: string | undefined): Promise<number> {
  if (conversationId === undefined) return 0
  const job = isUuid(conversationId)
    ? await prisma().job.findFirst({ where: { id: conversationId, ownerId }, select: { id: true } })
    : null
  if (!job) throw jobNotFound()
  return (await readSpendLimits([job.id])).get(job.id) ?? 0
}
