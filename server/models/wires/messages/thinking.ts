import { isRecord, recordsIn } from '../../../kit/record'
import { budgetOf } from '../../abilities/thinking-budget'
import type { CompletionBody } from '../../completion'
import { thinkingFromChat } from './reasoning'

/**
 * The thinking that a chat body asks for, in tokens: `server/models/abilities` makes the field of
 * the API from it, once the limit and the model are known.
 */
export function budgetFromChat(body: CompletionBody): CompletionBody {
  const { reasoning } = body
  const wanted = isRecord(reasoning) ? reasoning : { effort: body.reasoning_effort }
  const effort = wanted.effort ?? body.reasoning_effort
  const budget = typeof wanted.max_tokens === 'number' ? wanted.max_tokens : budgetOf(effort)
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
