import type { ReceiptStatus } from '@/server/credits/shape'
import { idParam, type ListSearchParams, textParam } from '../ui/list-url'

/** The ends of calls that ran, and the statuses of those that were refused. */
export const RUN_STATUSES = ['ok', 'failed', 'void', 'expired'] as const satisfies readonly ReceiptStatus[]
export const REFUSED_STATUSES = [401, 402, 403, 409, 422, 429] as const

/** Which requests of an owner are shown. */
export type ShownRequests = { keyId?: number } & (
  | { kind: 'ran'; status?: (typeof RUN_STATUSES)[number] }
  | { kind: 'refused'; status?: (typeof REFUSED_STATUSES)[number] }
)

/** What the URL asks for; what it asks for that there is not is left out. */
export function parseOwnerRequests(params: ListSearchParams): ShownRequests {
  const [status, keyId] = [textParam(params, 'status'), idParam(params, 'keyId')]
  return textParam(params, 'kind') === 'refused'
    ? { kind: 'refused', keyId, status: REFUSED_STATUSES.find((each) => String(each) === status) }
    : { kind: 'ran', keyId, status: RUN_STATUSES.find((each) => each === status) }
}
