import { findBudgets } from '../../credits/budgets/find'
import { readBudgetStates } from '../../credits/budgets/states'
import { runStatement } from '../../db'
import { env } from '../../env'
import { statement } from '../../kit/statement'
import type { TokenPrices } from '../../models/prices'
import { creditsOfChecks } from '../checks/stored'
import type { RunLimit } from '../shape'
import { wordsFor } from './final-summary-prompt'
import { runPayer } from './run-payer'
import { type AgentRun, stepsOfRun } from './state'
import { forecastStep, type StepForecast } from './step-forecast'

const FREE_CREDITS = statement({
  name: 'agent_free_credits',
  sql: `SELECT a.available + a.held AS balance, k.budget - k.spent AS "keyBudget",
      CASE WHEN k.period_end <= now() THEN k.period_budget ELSE k.period_budget - k.period_spent END AS "keyPeriod",
      a.day_credits - CASE WHEN a.day_start >= date_trunc('day', now(), 'UTC') THEN a.day_spent ELSE 0 END AS "accountDay"
    FROM account a LEFT JOIN "key" k ON k.id = $2 AND k.owner_id = a.owner_id WHERE a.owner_id = $1`,
  params: ['int', 'int'],
  columns: { balance: 'bigint', keyBudget: 'bigint?', keyPeriod: 'bigint?', accountDay: 'bigint?' },
  isPrepared: true,
})

/** How long what was read is counted on from the charges of the run alone, milliseconds. */
const MAX_AGE_MS = 15_000

/** What account and key had, and what the conversation had spent then. */
type Free = {
  balance: number
  keyBudget: number | null
  keyPeriod: number | null
  accountDay: number | null
  /** What the tightest of the budgets that its model counts against leaves. */
  budget: number | null
  spent: number
  readAt: number
}
const known = new WeakMap<AgentRun, Free>()

/** What the conversation has spent: on its steps, and on what judged its results. */
const spentBy = ({ steps, turns, runId, checks }: AgentRun): number =>
  [...turns.filter((turn) => turn.runId !== runId), { checks }].reduce(
    (sum, turn) => sum + creditsOfChecks(turn.checks),
    steps.reduce((sum, { charged }) => sum + charged, 0),
  )

/** A message of a run's model, for the budgets that it counts against. */
const modelCallOf = (run: AgentRun) => ({ ...runPayer(run), product: 'agent' as const, what: run.model.id })

/** Whether a budget bounds what a run's model may say; others bound some of its tools. */
export const isBudgetOfModel = (run: AgentRun, budgetId: string): boolean =>
  findBudgets(modelCallOf(run)).rows.some((row) => row.budgetId === budgetId)

async function readFree(run: AgentRun): Promise<Free> {
  const before = known.get(run)
  const now = performance.now()
  if (before && now - before.readAt < MAX_AGE_MS) return before
  const [[row], budgets] = await Promise.all([
    runStatement(FREE_CREDITS, [run.ownerId, run.keyId]),
    readBudgetStates(modelCallOf(run)),
  ])
  const credits = (value: string | null | undefined) => (value == null ? null : Number(value))
  const free: Free = {
    balance: Number(row?.balance ?? 0),
    keyBudget: credits(row?.keyBudget),
    keyPeriod: credits(row?.keyPeriod),
    accountDay: credits(row?.accountDay),
    budget: budgets.length > 0 ? Math.min(...budgets.map(({ cap, spent }) => cap - spent)) : null,
    spent: spentBy(run),
    readAt: now,
  }
  known.set(run, free)
  return free
}

/**
 * The credits that are left for a run, those that calls in progress hold included, and the limit
 * that leaves least. Account, key and budgets are read now and then; in between, the charges of
 * the run are subtracted.
 */
export async function creditsLeft(run: AgentRun): Promise<{ credits: number; limit: RunLimit }> {
  const free = await readFree(run)
  const spent = spentBy(run)
  const since = spent - free.spent
  const limits: { credits: number; limit: RunLimit }[] = [
    { credits: run.spendLimitCredits - spent, limit: 'conversation' },
    ...(run.stopAtCredits === null ? [] : [{ credits: run.stopAtCredits - spent, limit: 'run' as const }]),
    ...(free.keyBudget === null ? [] : [{ credits: free.keyBudget - since, limit: 'key_budget' as const }]),
    ...(free.keyPeriod === null ? [] : [{ credits: free.keyPeriod - since, limit: 'key_period' as const }]),
    ...(free.budget === null ? [] : [{ credits: free.budget - since, limit: 'budget' as const }]),
    ...(free.accountDay === null ? [] : [{ credits: free.accountDay - since, limit: 'account_day' as const }]),
    { credits: free.balance - since, limit: 'balance' },
  ]
  const tightest = limits.reduce((least, next) => (next.credits < least.credits ? next : least))
  return { ...tightest, credits: Math.max(0, tightest.credits) }
}

/** What leaves a run its credits, for a sentence. */
const LIMITS: Record<RunLimit, string> = {
  conversation: 'the spend limit of this conversation',
  run: 'the spend limit of this run',
  budget: 'a budget of the account',
  key_budget: 'the budget of the key',
  key_period: 'the recurring budget of the key',
  account_day: 'the daily limit of the account',
  balance: 'the balance of the account',
}

/** Once a run has spent this part of what it had, the model is asked to finish. */
const FINISH_AT = 0.7
/** An answer of so many output tokens is not bounded by the credits. */
const LONG_OUTPUT = 4_096

/**
 * What the end of a prompt says: what is left under the tightest limit, and, once that pays for no
 * more than one further message, that the run is to finish. `promptTokens`: of the prompt that it
 * ends; `reserve`: the credits of the final summary.
 */
export async function creditsLeftText(
  run: AgentRun,
  { promptTokens, reserve }: { promptTokens: number; reserve: number },
): Promise<string> {
  const { credits, limit } = await creditsLeft(run)
  const last = run.steps.findLast(({ kind }) => kind === 'model')?.charged ?? 0
  const spent = stepsOfRun(run).reduce((sum, { charged }) => sum + charged, 0)
  const isLate = spent > 0 && spent >= (spent + credits) * FINISH_AT
  const step = last > 0 ? ` Your last message cost ${last.toLocaleString('en-US')}.` : ''
  const money = formatUsd(credits / env().CREDITS_PER_USD)
  const finish = finishText(forecastStep(run, { promptTokens, left: credits, reserve }), isLate)
  return `[Credits left: ${credits.toLocaleString('en-US')} (about ${money}), by ${LIMITS[limit]}.${step}${finish}]`
}

/** What a model is asked to do where its credits end soon; empty: they do not. */
function finishText({ credits, outputTokens, payable }: StepForecast, isLate: boolean): string {
  if (payable > 2 && !isLate) return ''
  const words = wordsFor(outputTokens).toLocaleString('en-US')
  const length = outputTokens < LONG_OUTPUT ? ` and in at most ${words} words (more is cut off)` : ''
  const cost = ` This one costs about ${credits.toLocaleString('en-US')}.`
  if (payable < 2)
    return `${cost} Finish now: no message after it can be paid. Answer with what is known, without a call${length}, and say what was left undone.`
  if (payable === 2 && !isLate)
    return `${cost} One more can be paid after it: make the calls that the answer still needs now, all at once. The next message must be the answer.`
  const after = payable === 2 ? 'one more message can be paid, which must be the answer' : 'answer'
  return `${cost} Finish now: make only the calls without which there is no answer, all at once; then ${after}, and say what was left undone.`
}

/** What a model's own tokens cost, for its prompt: the same at every step of a run. */
export function ownPriceText({ creditsPer1mInput, creditsPer1mOutput, creditsPer1mCachedInput }: TokenPrices): string {
  const credits = (n: bigint) => n.toLocaleString('en-US')
  const cached =
    creditsPer1mCachedInput === undefined ? '' : `, ${credits(creditsPer1mCachedInput)} where it was read before`
  return `Your own tokens cost too: ${credits(creditsPer1mInput)} credits a million read${cached}, ${credits(creditsPer1mOutput)} a million written. ${env().CREDITS_PER_USD.toLocaleString('en-US')} credits are $1.`
}

const formatUsd = (usd: number): string => `$${usd.toFixed(usd < 1 ? 3 : 2)}`
