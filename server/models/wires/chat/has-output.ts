import { isRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

/** True when a chunk carries output, or ends a choice: not when it only announces a role, a filter's result or an id. */
export function hasOutput({ choices }: CompletionChunk): boolean {
  if (!Array.isArray(choices)) return false
  return choices.filter(isRecord).some(({ delta, finish_reason, text }) => {
    const said = isRecord(delta) ? Object.entries(delta) : []
    return Boolean(finish_reason) || !isEmpty(text) || said.some(([name, value]) => name !== 'role' && !isEmpty(value))
  })
}
