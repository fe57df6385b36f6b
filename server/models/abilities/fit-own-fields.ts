import { isRecord, type UnknownRecord } from '../../kit/record'
import type { CompletionBody } from '../completion'
import { type Draft, drop, note } from './draft'
import { DROPPED } from './shape'

/** Fields of routers and of other providers' APIs, which a provider of its own models refuses. */
const FOREIGN =
  'usage include_reasoning transforms top_k min_p top_a repetition_penalty cache_control chat_template_kwargs extra_body guided_json guided_regex guided_choice enable_thinking thinking thinking_budget best_of ignore_eos safe_prompt prompt_mode session_id reasoning_content'.split(
    ' ',
  )

/** The same in messages of chat completions: what earlier answers of other models brought. */
const FOREIGN_IN_MESSAGES = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks', 'cache_control']

/**
 * Leaves out the fields of other APIs where a provider refuses them. `metadata` is refused in chat
 * completions that are not stored, and nothing is stored there.
 */
export function fitOwnFields(draft: Draft): void {
  const { abilities, body, wire } = draft
  if (!abilities.ownFieldsOnly || wire === 'messages') return
  for (const name of FOREIGN) if (name in body) drop(draft, name)
  if (wire === 'responses') {
    stripList(draft, 'input', withoutMarks)
    stripList(draft, 'tools', withoutMark)
    return
  }
  fitRouterReasoning(draft)
  drop(draft, 'metadata')
  stripList(draft, 'messages', withoutForeign)
  stripList(draft, 'tools', withoutMark)
}

/** What routers call `reasoning` is an effort here. */
function fitRouterReasoning(draft: Draft): void {
  const { body } = draft
  const { reasoning } = body
  if (reasoning === undefined) return
  delete body.reasoning
  const { effort, enabled } = isRecord(reasoning) ? reasoning : {}
  const wanted = effort ?? (enabled === false ? 'none' : undefined)
  if (wanted === undefined) note(draft, 'reasoning', DROPPED)
  else body.reasoning_effort ??= wanted
}

/** Applies `strip` to a list of the body. It returns what it got where all of that stays. */
function stripList(draft: Draft, name: string, strip: (value: UnknownRecord, draft: Draft) => UnknownRecord): void {
  const list = draft.body[name]
  if (!Array.isArray(list)) return
  let changed: unknown[] | null = null
  for (const [i, each] of list.entries()) {
    const stripped = isRecord(each) ? strip(each, draft) : each
    if (stripped === each) continue
    changed ??= [...list]
    changed[i] = stripped
  }
  if (changed) draft.body[name] = changed
}

function withoutMark(value: UnknownRecord, draft: Draft): UnknownRecord {
  if (value.cache_control === undefined) return value
  const { cache_control: _mark, ...kept } = value
  note(draft, 'cache_control', DROPPED)
  return kept
}

/** An item or message without marks in its parts. */
function withoutMarks(value: UnknownRecord, draft: Draft): UnknownRecord {
  const { content } = value
  if (!Array.isArray(content)) return withoutMark(value, draft)
  if (!content.some((part) => isRecord(part) && part.cache_control !== undefined)) return withoutMark(value, draft)
  return withoutMark(
    { ...value, content: content.map((part) => (isRecord(part) ? withoutMark(part, draft) : part)) },
    draft,
  )
}

function withoutForeign(message: UnknownRecord, draft: Draft): UnknownRecord {
  const found = FOREIGN_IN_MESSAGES.filter((name) => name in message)
  const plain = withoutMarks(message, draft)
  if (found.length === 0) return plain
  const kept: CompletionBody = { ...plain }
  for (const name of found) {
    if (kept[name] != null) note(draft, name, DROPPED)
    delete kept[name]
  }
  return kept
}
