import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'

/**
 * A body whose cache marks have the usual lifetime: a longer one costs more per token written, and
 * a model has one price for that.
 */
export const withDefaultCaching = (body: CompletionBody): CompletionBody => ({
  ...plain(body),
  ...(Array.isArray(body.system) && { system: body.system.map(plainBlock) }),
  ...(Array.isArray(body.tools) && { tools: body.tools.map(plainBlock) }),
  ...(Array.isArray(body.messages) && { messages: body.messages.map(plainMessage) }),
})

const plainBlock = (value: unknown): unknown => (isRecord(value) ? plain(value) : value)

/** A message or block, with those inside it. */
function plainMessage(value: unknown): unknown {
  if (!isRecord(value)) return value
  const made = plain(value)
  return Array.isArray(made.content) ? { ...made, content: made.content.map(plainMessage) } : made
}

function plain(value: UnknownRecord): UnknownRecord {
  if (!isRecord(value.cache_control) || !('ttl' in value.cache_control)) return value
  const { ttl: _ttl, ...cache } = value.cache_control
  return { ...value, cache_control: cache }
}
