'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { Select } from '../ui/field'
import { listUrl } from '../ui/list-url'

const STATES = { active: 'May spend', suspended: 'Suspended', operator: 'Operators' }

/** Which owners the list has. */
export function OwnerStateFilter() {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  return (
    <Select
      aria-label="State"
      className="w-auto"
      value={params.get('state') ?? ''}
      onChange={(e) => router.replace(listUrl(path, params, { state: e.target.value }), { scroll: false })}
    >
      <option value="">All owners</option>
      {Object.entries(STATES).map(([state, label]) => (
        <option key={state} value={state}>
          {label}
        </option>
      ))}
    </Select>
  )
}
