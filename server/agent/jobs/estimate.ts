import { readAccountLimits } from '../../credits/account-limits'
import { getBalance } from '../../credits/balance'
import { remainingCredits } from '../../credits/remaining'
import type { CallEstimate } from '../../credits/shape'
import { readSpendLimits } from '../../credits/spend-limit'
import { prisma, runRead } from '../../db'
import { getKey } from '../../keys/list'
import { isUuid } from '../../kit/id'
import type { ReadOptions } from '../../kit/pg-read'
import { statement } from '../../kit/statement'
import { creditsForTokens, type TokenPrices } from '../../models/prices'
import { jobNotFound } from './read-job'
import { runModel } from './start'
import { MIN_CREDITS_TO_START } from './write-turn'

/** Only an owner's latest runs say what a run usually costs. */
const RECENT = 60

const USUAL = statement({
  name: 'usual_run',
  sql: `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY l.spent) AS spent
    FROM (SELECT id FROM job WHERE owner_id = $1 AND status = 'completed' ORDER BY created_at DESC, id DESC LIMIT ${RECENT}) j
    JOIN turn w ON w.job_id = j.id AND w.number = 1 AND w.model = $2
    JOIN spend_limit l ON l.id = j.id`,
  params: ['int', 'text'],
  columns: { spent: 'bigint?' },
})

/** A model step near the beginning of a run, and one with a long conversation and a long reply. */
const STEP_SIZES = {
  from: { inputTokens: 3_000, outputTokens: 150 },
  to: { inputTokens: 40_000, outputTokens: 1_500 },
}

const stepPrices = (model: TokenPrices) => ({
  from: Number(creditsForTokens(STEP_SIZES.from, model)),
  to: Number(creditsForTokens(STEP_SIZES.to, model)),
})

/** `least`: what must be free for the run to start. */
export type RunEstimate = CallEstimate & {
  most: number
  /** What a short and a long model step cost by the model's price. */
  perStep: { from: number; to: number }
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
  { keyId, model: asked, conversationId }: { keyId: number; model?: string; conversationId?: string },
  options?: ReadOptions,
): Promise<RunEstimate> {
  const [key, balance, { day }, model, spent] = await Promise.all([
    getKey(ownerId, keyId),
    getBalance(ownerId),
    readAccountLimits(ownerId),
    runModel(ownerId, { model: asked }),
    spentBy(ownerId, conversationId),
  ])
  const budgets = {
    lifetime: key.remaining,
    period: key.recurringBudget?.remaining ?? null,
    day: day?.remaining ?? null,
  }
  const { credits, limitedBy } = remainingCredits(balance.available, budgets)
  const [usual] = await runRead(USUAL, [ownerId, model.id], options)
  const max = Math.max(0, key.agentRunBudgetCredits - spent)
  return {
    most: max,
    typical: usual?.spent == null ? null : Math.min(max, Number(usual.spent)),
    basis: 'receipts',
    perStep: stepPrices(model),
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
