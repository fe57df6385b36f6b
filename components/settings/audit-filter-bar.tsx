'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import type { AuditFilter } from '@/server/accounts/shape'
import { Button } from '../ui/button'
import { Field, Select } from '../ui/field'
import { urlWith } from '../ui/list-url'

const PATH = '/settings/audit'

type Props = { filters: AuditFilter; actions: readonly { id: string; label: string }[] }

/** Which acts the audit log shows, and all of them again. Its days are chosen beside it. */
export function AuditFilterBar({ filters, actions }: Props) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const go = (url: string) => start(() => router.push(url, { scroll: false }))
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <search aria-label="Filter events" aria-busy={busy} className="mb-3 flex flex-wrap items-end gap-2">
      <Field label="Action" className="min-w-0 flex-1 sm:max-w-80">
        {(control) => (
          <Select
            {...control}
            value={filters.action ?? ''}
            onChange={(e) => go(urlWith(PATH, filters, { action: e.target.value }))}
          >
            <option value="">All</option>
            {actions.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button kind="quiet" disabled={!isFiltered} className="max-sm:disabled:hidden" onClick={() => go(PATH)}>
        Clear filters
      </Button>
    </search>
  )
}
