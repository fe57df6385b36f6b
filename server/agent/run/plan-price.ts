import { priceOfPlan, readRunHistory, runPriceText } from '../jobs/run-price'
import type { RunPrice } from '../shape'
import type { ShownPlan } from './plan'
import { type AgentRun, lastModelStep, stepsOfRun } from './state'

/** Steps of a plan whose model numbers none. */
const UNKNOWN_STEPS = 3

/** How many steps a plan has that was written as Markdown. */
const stepsIn = (markdown: string): number =>
  markdown.match(/^[ \t]{0,20}(?:\d{1,4}[.)]|[-*]) /gm)?.length ?? UNKNOWN_STEPS

/** What a whole run will cost with this plan: by runs like it, else by the price of its tokens. */
export async function planPrice(run: AgentRun, { markdown, details }: ShownPlan): Promise<RunPrice> {
  const { ownerId, mode, model } = run
  const history = await readRunHistory({ ownerId, modelId: model.id, mode })
  const last = lastModelStep(run)?.output
  const planned = {
    steps: details?.steps.length ?? stepsIn(markdown),
    callCredits: details?.totalCredits ?? 0,
    promptTokens: (last?.inputTokens ?? 0) + (last?.outputTokens ?? 0),
    spent: stepsOfRun(run).reduce((sum, { charged }) => sum + charged, 0),
  }
  return priceOfPlan(planned, history, model)
}

const BASIS: Record<RunPrice['basis'], (runs: number) => string> = {
  history: (runs) => `as the last ${runs} runs like it did`,
  tokens: () => 'by the price of its tokens: too few runs like it are known',
}

/** The same for those who read Markdown only. */
export const planPriceText = (price: RunPrice): string =>
  `The whole run will cost ${runPriceText(price)}, the model's own steps included, ${BASIS[price.basis](price.runs)}.`
