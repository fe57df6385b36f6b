import { affordableOutput, creditsForTokens, holdForTokens } from '../../models/prices'
import { replyOfStep } from './reply-of-step'
import { type AgentRun, stepsOfRun } from './state'

/** What the next messages of a run cost, and for how many the credits reach. */
export type StepForecast = {
  /** Credits that this message will cost, by what is known. */
  credits: number
  /** Output tokens that it can have. */
  outputTokens: number
  /** Messages that can be paid, this one included, as far as three; the final summary besides. */
  payable: 0 | 1 | 2 | 3
}

/** Tokens of a reply and of the results that it brings, where the run shows none yet. */
const UNKNOWN = { output: 300, results: 1_500 }
/**
 * The most that a next message is thought to write and to bring, in tokens: one that had many calls
 * at once is no rule for those that follow it.
 */
const USUAL = { output: 500, results: 3_000 }
/** Part of the first prompt that a provider with a cache is thought to have of it in the second. */
const CACHED = 0.8
/** Output tokens of an answer that is worth a message. */
export const ANSWER_OUTPUT = 700
/** Messages of a run that say what the next one is like. */
const LAST = 4

const average = (values: readonly number[], otherwise: number): number =>
  values.length === 0 ? otherwise : values.reduce((sum, one) => sum + one, 0) / values.length

/** The replies of this run, and what each added to its prompts. */
function habitsOf(run: AgentRun, promptTokens: number) {
  const steps = stepsOfRun(run)
  const models = steps.filter(({ kind }) => kind === 'model')
  const replies = models.map(replyOfStep)
  const prompts = [...replies.map(({ inputTokens }) => inputTokens), promptTokens]
  const grown = replies.map((reply, i) => (prompts[i + 1] ?? 0) - reply.inputTokens - reply.outputTokens)
  return {
    output: Math.min(
      USUAL.output,
      average(
        replies.slice(-LAST).map(({ outputTokens }) => outputTokens),
        UNKNOWN.output,
      ),
    ),
    results: Math.min(
      USUAL.results,
      average(
        grown.slice(-LAST).map((tokens) => Math.max(0, tokens)),
        UNKNOWN.results,
      ),
    ),
    /** Part of what was sent before that the provider had in its cache. */
    cached: cachedPart(replies),
    known: replies.at(-1)?.inputTokens ?? 0,
  }
}

/** Before the second message a cache is thought to work; then what it did. */
function cachedPart(replies: readonly { inputTokens: number; cachedTokens: number }[]): number {
  const parts = replies.slice(1).map(({ cachedTokens }, i) => cachedTokens / Math.max(1, replies[i]?.inputTokens ?? 1))
  return Math.min(1, average(parts.slice(-LAST), CACHED))
}

/**
 * What the next message will cost and how many more can be paid: from the prompt as it will be,
 * what the provider has of it in its cache, and what the messages before wrote and got. What calls
 * cost is for the model to choose, which knows their prices.
 * `left`: credits under the tightest limit; `reserve`: those of the final summary.
 */
export function forecastStep(
  run: AgentRun,
  { promptTokens, left, reserve }: { promptTokens: number; left: number; reserve: number },
): StepForecast {
  const { model } = run
  const { output, results, cached, known } = habitsOf(run, promptTokens)
  const hold = (prompt: number, outputTokens: number) =>
    Number(holdForTokens({ promptTokens: Math.ceil(prompt), outputTokens, n: 1 }, model))
  const costOf = (prompt: number, before: number): number => {
    const cachedInputTokens =
      model.creditsPer1mCachedInput === undefined ? 0 : Math.floor(Math.min(before, prompt) * cached)
    const usage = { inputTokens: Math.ceil(prompt), outputTokens: Math.ceil(output), cachedInputTokens }
    return Number(creditsForTokens(usage, model))
  }
  const credits = costOf(promptTokens, known)
  const forOutput = BigInt(Math.max(0, Math.floor(left - reserve)))
  const outputTokens = affordableOutput(forOutput, { promptTokens, n: 1 }, model)
  let payable = 0
  let rest = left
  let prompt = promptTokens
  let before = known
  while (payable < 3 && rest - reserve >= hold(prompt, ANSWER_OUTPUT)) {
    payable++
    rest -= costOf(prompt, before)
    before = prompt
    prompt += output + results
  }
  return { credits, outputTokens, payable: payable as StepForecast['payable'] }
}
