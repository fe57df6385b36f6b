import { countRequest } from '../operators/count-requests'
import type { ResponseMeta } from './context'

/**
 * Counts a request of a key that exists, for operators. `ms`: until its answer began. MCP answers a
 * failed call with 200: what it failed with counts.
 */
export function countAnswer({ key, failure }: ResponseMeta, { status, ms }: { status: number; ms: number }): void {
  if (key) countRequest({ ...key, status: failure ?? status, ms })
}
