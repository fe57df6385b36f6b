import { isRecord } from '../../kit/record'
import type { ReportedUsage } from '../completion'
import { readUsage } from '../wires/chat/usage'

/**
 * An upstream's usage of embeddings, or null where it cannot be believed. Some report only the
 * total, and none has output.
 */
export function readEmbeddingsUsage(raw: unknown): ReportedUsage | null {
  if (!isRecord(raw)) return null
  return readUsage({ prompt_tokens: raw.prompt_tokens ?? raw.total_tokens, completion_tokens: 0, cost: raw.cost })
}
