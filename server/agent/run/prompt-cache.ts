import { recordsIn, type UnknownRecord } from '../../kit/record'
import type { CompletionBody } from '../../models/completion'

const MARK = { type: 'ephemeral' }

/**
 * A body with marks up to where its prompt stays the same in the run's further calls, for providers
 * that cache only what is marked, and with a name for the conversation, by which others find their
 * cache. `stable`: how many messages stay, from the first.
 */
export function markForCache(body: CompletionBody, { stable, key }: { stable: number; key: string }): CompletionBody {
  const messages = recordsIn(body.messages)
  const marked = new Set(marksIn(messages.slice(0, stable)))
  return {
    ...body,
    prompt_cache_key: key,
    messages: messages.map((message, i) => (marked.has(i) ? withMark(message) : message)),
  }
}

/**
 * The system prompt, which tools come before; the end of the previous call's prompt, which is in
 * the cache; and the end of this one's, for the next call. Providers look only a few blocks back
 * from a mark, so the one before the reply is needed too.
 */
function marksIn(messages: readonly UnknownRecord[]): number[] {
  const before = messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return [0, lastWithText(before), lastWithText(messages)]
}

/** A mark needs a text to be on. */
const lastWithText = (messages: readonly UnknownRecord[]): number =>
  messages.findLastIndex(({ role, content }) => role !== 'assistant' && typeof content === 'string' && content !== '')

const withMark = (message: UnknownRecord): UnknownRecord =>
  typeof message.content === 'string'
    ? { ...message, content: [{ type: 'text', text: message.content, cache_control: MARK }] }
    : message
