import { AuditAction, Email } from '@/server/accounts/shape'
import { type ListSearchParams, textParam } from '../ui/list-url'

/** The filters of the operators' log in URL parameters. An invalid value is ignored. */
export function parseLogFilters(params: ListSearchParams) {
  const owner = Number(textParam(params, 'owner') ?? 0)
  return {
    action: AuditAction.optional().catch(undefined).parse(textParam(params, 'action')),
    actor: Email.optional().catch(undefined).parse(textParam(params, 'actor')),
    ownerId: Number.isInteger(owner) && owner > 0 && owner < 2 ** 31 ? owner : undefined,
  }
}
