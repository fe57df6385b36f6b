import { isRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * True when a chunk carries output or ends a choice, false when it only announces a role, an id or
 * a filter result.
 */
export function hasOutput({ choices }: CompletionChunk): boolean {
  if (!Array.isArray(choices)) return false
  return choices.filter(isRecord).some(({ delta, finish_reason, text }) => {
    const fields = isRecord(delta) ? Object.entries(delta) : []
    return (
      Boolean(finish_reason) || !isEmpty(text) || fields.some(([name, value]) => name !== 'role' && !isEmpty(value))
    )
  })
}
