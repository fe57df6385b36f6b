import { isRecord, recordsIn } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import { thinkingFromChat } from './reasoning'

/** Output tokens of thinking for each effort. */
const BUDGETS: Record<string, number> = { minimal: 1_024, low: 2_048, medium: 8_192, high: 24_576, xhigh: 32_768 }
/** The API takes no smaller budget. */
const MIN_BUDGET = 1_024
/** Output tokens that must be left for the answer. */
const MIN_ANSWER = 1_024

/**
 * The thinking that a chat body asks for, in tokens: `fitThinking` makes the field of the API from
 * it, once the limit and the model are known.
 */
export function budgetFromChat(body: CompletionBody): CompletionBody {
  const { reasoning } = body
  const wanted = isRecord(reasoning) ? reasoning : { effort: body.reasoning_effort }
  const effort = wanted.effort ?? body.reasoning_effort
  const budget = typeof wanted.max_tokens === 'number' ? wanted.max_tokens : BUDGETS[String(effort)]
  if (budget === undefined || isToolForced(body) || !isThinkingComplete(body)) return {}
  return { reasoning_budget: budget }
}

/** The API refuses thinking together with a forced call. */
const isToolForced = ({ tool_choice: choice }: CompletionBody) => choice === 'required' || isRecord(choice)

/** With thinking on, the calls being answered must come with the thinking that led to them. */
function isThinkingComplete({ messages }: CompletionBody): boolean {
  const list = recordsIn(messages)
  const last = list[list.findLastIndex(({ role }) => role !== 'tool')]
  if (last?.role !== 'assistant' || recordsIn(last.tool_calls).length === 0) return true
  return thinkingFromChat(recordsIn(last.reasoning_details)).length > 0
}

/**
 * Models that decide for themselves how much they think, and take an effort instead of a budget.
 */
const ADAPTIVE = /claude-(?:[a-z]+-)?(?:[5-9]|4-[6-9])(?:\D|$)/

/**
 * A body with the thinking that its `reasoning_budget` stands for. Sampling settings go with
 * thinking only at their defaults.
 */
export function fitThinking({ reasoning_budget: wanted, ...body }: CompletionBody, model: string): CompletionBody {
  if (typeof wanted !== 'number') return body
  const { temperature: _temperature, top_k: _topK, top_p: _topP, ...rest } = body
  if (ADAPTIVE.test(model)) {
    const config = isRecord(body.output_config) ? body.output_config : {}
    return { ...rest, thinking: { type: 'adaptive' }, output_config: { ...config, effort: effortOf(wanted) } }
  }
  const budget = Math.min(wanted, Number(body.max_tokens) - MIN_ANSWER)
  return budget < MIN_BUDGET ? body : { ...rest, thinking: { type: 'enabled', budget_tokens: budget } }
}

const effortOf = (budget: number): string =>
  budget <= (BUDGETS.low ?? 0) ? 'low' : budget <= (BUDGETS.medium ?? 0) ? 'medium' : 'high'
