import { recordsIn, type UnknownRecord } from '../../kit/record'

/** Sentences that a summary keeps: those with a number, an address or a code. */
const WORTH_KEEPING = /\d|https?:|\b[A-Z]{2,}-/

const MAX_SENTENCE = 500

/** True for requests that ask for a summary of a record instead of a step. */
export const isSummaryRequest = (body: UnknownRecord): boolean =>
  !Array.isArray(body.tools) &&
  recordsIn(body.messages).some(({ role, content }) => role === 'system' && /summar/i.test(String(content)))

/** A summary of what the request shows: its facts in their order, as many as fit. */
export function summarizeRecord(body: UnknownRecord, maxChars: number): string {
  const text = recordsIn(body.messages)
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => String(content))
    .join('\n')
  const parts = text
    .split(/(?<=[.!?])\s+|\\n|\n/)
    .map((part) => part.trim())
    .filter((part) => WORTH_KEEPING.test(part))
    .map((part) => part.slice(0, MAX_SENTENCE))
  const kept: string[] = []
  let size = 0
  for (const part of new Set(parts)) {
    size += part.length + 1
    if (size > maxChars) break
    kept.push(part)
  }
  return kept.join('\n')
}
