import { runRead } from '../../db'
import type { ReadOptions } from '../../kit/pg-read'
import { statement } from '../../kit/statement'
import { creditsForTokens, type TokenPrices } from '../../models/prices'
import type { RunMode, RunPrice } from '../shape'

/** Only an owner's latest runs say what a run costs, and fewer than so many say nothing. */
const RECENT = 60
const MIN_RUNS = 5

const HISTORY = statement({
  name: 'run_history',
  sql: `SELECT w.mode, sum(s.charged)::bigint AS whole, coalesce(sum(s.charged) FILTER (WHERE s.kind <> 'tool'), 0)::bigint AS model
    FROM (SELECT id FROM job WHERE owner_id = $1 AND status = 'completed' AND reached_by IS NULL
      ORDER BY created_at DESC, id DESC LIMIT ${RECENT}) j
    JOIN turn w ON w.job_id = j.id AND w.owner_id = $1 AND w.model = $2 AND w.status = 'completed' AND w.rerun_of IS NULL
    JOIN step s ON s.job_id = w.job_id AND s.run_id = w.run_id
    GROUP BY w.run_id, w.mode, w.ended_at ORDER BY w.ended_at DESC LIMIT ${RECENT}`,
  params: ['int', 'text'],
  columns: { mode: 'text', whole: 'bigint', model: 'bigint' },
})

/** What an owner's latest runs of a model cost: all of it, and the steps of the model alone. */
export type RunHistory = { whole: number[]; model: number[] }

/** The runs of a mode where there are enough of them, else of both. */
export async function readRunHistory(
  { ownerId, modelId, mode }: { ownerId: number; modelId: string; mode?: RunMode },
  options?: ReadOptions,
): Promise<RunHistory> {
  const rows = await runRead(HISTORY, [ownerId, modelId], options)
  const same = rows.filter((row) => row.mode === mode)
  const chosen = same.length >= MIN_RUNS ? same : rows
  return { whole: chosen.map(({ whole }) => Number(whole)), model: chosen.map(({ model }) => Number(model)) }
}

/** The value below which this part of some numbers is. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** The range that eight of ten of these are in; null: they are too few. */
const usualRange = (costs: readonly number[]) =>
  costs.length < MIN_RUNS ? null : { from: quantile(costs, 0.1), to: quantile(costs, 0.9) }

/** The middle of what whole runs cost; null: none is known. */
export const usualCost = ({ whole }: RunHistory): number | null => (whole.length === 0 ? null : quantile(whole, 0.5))

/**
 * Model steps: how many, the first prompt, how much of it was read before, and what each adds to
 * it. Sizes are tokens.
 */
type Steps = { count: number; prompt: number; known?: number; growth: number; output: number }

/** What steps cost that each read all that came before, which the provider has in its cache. */
export function costOfSteps({ count, prompt, known = 0, growth, output }: Steps, prices: TokenPrices): number {
  let credits = 0n
  for (let step = 0; step < count; step++) {
    const cached = step === 0 ? known : prompt + (step - 1) * growth
    const usage = { inputTokens: prompt + step * growth, outputTokens: output, cachedInputTokens: cached }
    credits += creditsForTokens(usage, prices)
  }
  return Number(credits)
}

/** A short and a long run of which nothing is known but the prices of tokens. */
const UNKNOWN_RUN = {
  from: { count: 2, prompt: 3_000, growth: 1_500, output: 150 },
  to: { count: 10, prompt: 8_000, growth: 2_500, output: 600 },
}
/** What its calls may cost then. */
const UNKNOWN_CALLS = { from: 0, to: 60 }

/** What a run will cost before it has begun. */
export function priceOfRun({ whole }: RunHistory, prices: TokenPrices): RunPrice {
  const known = usualRange(whole)
  if (known) return { ...known, basis: 'history', runs: whole.length }
  return {
    from: costOfSteps(UNKNOWN_RUN.from, prices) + UNKNOWN_CALLS.from,
    to: costOfSteps(UNKNOWN_RUN.to, prices) + UNKNOWN_CALLS.to,
    basis: 'tokens',
    runs: whole.length,
  }
}

/** A verdict about a short and about a long result: the judge reads question, goal and result. */
const VERDICT = { from: { prompt: 500, output: 60 }, to: { prompt: 4_000, output: 400 } }

/** A run’s price with what the models that judge its result take beside it, one price a check. */
export function withJudges(price: RunPrice, judges: readonly TokenPrices[]): RunPrice {
  const cost = (end: 'from' | 'to') =>
    judges.reduce((sum, prices) => sum + costOfSteps({ count: 1, growth: 0, ...VERDICT[end] }, prices), 0)
  return { ...price, from: price.from + cost('from'), to: price.to + cost('to') }
}

/** Calls of a plan may have to be made again, or cost more than they seem to. */
const CALLS_FACTOR = 1.5
/**
 * At best two of its steps are made at once, at worst each takes two. Tokens that each adds to the
 * prompt, and that the model writes in it.
 */
const PLANNED = { from: { growth: 600, output: 150 }, to: { growth: 2_500, output: 600 } }

/** A plan that is to be priced: its steps, what their calls cost, and what the run is at. */
export type PlannedRun = { steps: number; callCredits: number; promptTokens: number; spent: number }

/** What a whole run will cost with a plan: what is spent, its calls, and the steps of its model. */
export function priceOfPlan(plan: PlannedRun, { model }: RunHistory, prices: TokenPrices): RunPrice {
  const { steps, callCredits, promptTokens: prompt, spent } = plan
  const known = usualRange(model)
  const rest = {
    from: costOfSteps({ count: Math.ceil(steps / 2) + 1, prompt, known: prompt, ...PLANNED.from }, prices),
    to: costOfSteps({ count: 2 * steps + 2, prompt, ...PLANNED.to }, prices),
  }
  const ofModel = known
    ? { from: Math.max(spent, known.from), to: Math.max(spent + rest.from, known.to) }
    : { from: spent + rest.from, to: spent + rest.to }
  return {
    from: Math.ceil(ofModel.from + callCredits),
    to: Math.ceil(ofModel.to + callCredits * CALLS_FACTOR),
    basis: known ? 'history' : 'tokens',
    runs: model.length,
  }
}

/** A price for a sentence: `about 120 to 350 credits`. */
export function runPriceText({ from, to }: Pick<RunPrice, 'from' | 'to'>): string {
  const text = (n: number) => n.toLocaleString('en-US')
  return `about ${from === to ? '' : `${text(from)} to `}${text(to)} ${to === 1 ? 'credit' : 'credits'}`
}
