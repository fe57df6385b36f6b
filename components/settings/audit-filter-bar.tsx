'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import type { AuditFilter } from '@/server/accounts/shape'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { urlWith } from '../ui/list-url'

const PATH = '/settings/audit'

type Props = { filters: AuditFilter; actions: readonly { id: string; label: string }[] }

/** The filters of the audit log. Every change is in the URL. */
export function AuditFilterBar({ filters, actions }: Props) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const go = (url: string) => start(() => router.push(url, { scroll: false }))
  const change = (name: keyof AuditFilter, value: string) => go(urlWith(PATH, filters, { [name]: value }))
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <search
      aria-label="Filter events"
      aria-busy={busy}
      className="mb-3 grid grid-cols-2 items-end gap-2 sm:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
    >
      <Field label="Action" className="max-sm:col-span-2">
        {(control) => (
          <Select {...control} value={filters.action ?? ''} onChange={(e) => change('action', e.target.value)}>
            <option value="">All</option>
            {actions.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="From">
        {(control) => (
          <Input {...control} type="date" value={filters.from ?? ''} onChange={(e) => change('from', e.target.value)} />
        )}
      </Field>
      <Field label="To">
        {(control) => (
          <Input {...control} type="date" value={filters.to ?? ''} onChange={(e) => change('to', e.target.value)} />
        )}
      </Field>
      <Button kind="quiet" disabled={!isFiltered} className="max-sm:disabled:hidden" onClick={() => go(PATH)}>
        Clear filters
      </Button>
    </search>
  )
}
