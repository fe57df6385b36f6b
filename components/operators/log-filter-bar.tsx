'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { Button } from '../ui/button'
import { Field, Select } from '../ui/field'
import { listUrl } from '../ui/list-url'
import { SearchField } from '../ui/search-field'

/** What operators do. */
const ACTS = {
  credits_granted: 'Credits granted',
  request_refunded: 'Request refunded',
  account_suspended: 'Account suspended',
  account_resumed: 'Suspension ended',
  limits_changed: 'Limits changed',
  password_reset_requested: 'Password reset requested',
  password_reset: 'Password reset',
  second_factor_removed: 'Second factor removed',
  signed_out_everywhere: 'Signed out everywhere',
  key_changed: 'Key changed',
  key_revoked: 'Key revoked',
  settlement_retried: 'Settlement tried again',
  run_cancelled: 'Run cancelled',
  run_retried: 'Run sent to a worker again',
  operator_made: 'Made an operator',
  operator_removed: 'No longer an operator',
  settings_requested: 'Settings to be read again',
  settings_read: 'Settings read again',
  settings_refused: 'Settings refused',
}

/** The filters of the operators' log. Every change is in the URL. */
export function OperatorLogFilterBar() {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const isFiltered = ['action', 'actor', 'owner'].some((name) => params.has(name))
  return (
    <search aria-label="Filter entries" className="mb-3 flex flex-wrap items-end gap-2">
      <Field label="Action">
        {(control) => (
          <Select
            {...control}
            value={params.get('action') ?? ''}
            onChange={(e) => router.replace(listUrl(path, params, { action: e.target.value }), { scroll: false })}
          >
            <option value="">All</option>
            {Object.entries(ACTS).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SearchField param="actor" label="Operator’s e-mail address" maxLength={254} />
      <SearchField param="owner" label="Owner’s id" maxLength={10} className="min-w-32 sm:max-w-40" />
      <Button
        kind="quiet"
        disabled={!isFiltered}
        className="max-sm:disabled:hidden"
        onClick={() => router.replace(path, { scroll: false })}
      >
        Clear filters
      </Button>
    </search>
  )
}
