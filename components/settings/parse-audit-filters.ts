import { AuditFilter } from '@/server/accounts/shape'

const { shape } = AuditFilter

export type AuditSearchParams = Record<string, string | string[] | undefined>

/** The filters in URL parameters. An invalid value is ignored. */
export const parseAuditFilters = (params: AuditSearchParams): AuditFilter => ({
  action: shape.action.catch(undefined).parse(params.action || undefined),
  from: shape.from.catch(undefined).parse(params.from || undefined),
  to: shape.to.catch(undefined).parse(params.to || undefined),
})
