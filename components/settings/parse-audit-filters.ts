import { AuditFilter } from '@/server/accounts/shape'
import { type ListSearchParams, textParam } from '../ui/list-url'

const { shape } = AuditFilter

/** The filters in URL parameters. An invalid value is ignored. */
export const parseAuditFilters = (params: ListSearchParams): AuditFilter => ({
  action: shape.action.catch(undefined).parse(textParam(params, 'action')),
  from: shape.from.catch(undefined).parse(textParam(params, 'from')),
  to: shape.to.catch(undefined).parse(textParam(params, 'to')),
})
