import { isObject } from '../kit/loose'
import type { ChatChunk } from './wire'

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

/** True when a chunk carries output, or ends a choice: not when it only announces a role, a filter's result or an id. */
export function hasToken({ choices }: ChatChunk): boolean {
  if (!Array.isArray(choices)) return false
  return choices.filter(isObject).some(({ delta, finish_reason, text }) => {
    const said = isObject(delta) ? Object.entries(delta) : []
    return Boolean(finish_reason) || !isEmpty(text) || said.some(([name, value]) => name !== 'role' && !isEmpty(value))
  })
}
