'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { type UsageFilters, urlWithFilters } from './filters'
import { RECEIPT_STATUS_LABELS } from './receipt-labels'

type Props = { filters: UsageFilters; keys: { id: number; name: string }[]; names: string[] }

/** The filters of the call list. Every change is in the URL. */
export function FilterBar({ filters, keys, names }: Props) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const change = (name: keyof UsageFilters, value: string) =>
    start(() => router.push(urlWithFilters('/usage', filters, { [name]: value }), { scroll: false }))
  // The current key or name may be missing from the choices.
  const { keyId, what } = filters
  const keyChoices =
    keyId === undefined || keys.some(({ id }) => id === keyId) ? keys : [...keys, { id: keyId, name: `key ${keyId}` }]
  const nameChoices = what === undefined || names.includes(what) ? names : [...names, what]
  const hasFilter = Object.values(filters).some((value) => value !== undefined)
  return (
    <search
      aria-label="Filter calls"
      aria-busy={busy}
      className="mb-3 grid grid-cols-2 items-end gap-2 sm:grid-cols-3 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
    >
      <Field label="Key">
        {(control) => (
          <Select {...control} value={filters.keyId ?? ''} onChange={(e) => change('keyId', e.target.value)}>
            <option value="">All</option>
            {keyChoices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Tool or model">
        {(control) => (
          <Select {...control} value={filters.what ?? ''} onChange={(e) => change('what', e.target.value)}>
            <option value="">All</option>
            {nameChoices.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Status">
        {(control) => (
          <Select {...control} value={filters.status ?? ''} onChange={(e) => change('status', e.target.value)}>
            <option value="">All</option>
            {Object.entries(RECEIPT_STATUS_LABELS).map(([status, { word }]) => (
              <option key={status} value={status}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="From (UTC)">
        {(control) => (
          <Input {...control} type="date" value={filters.from ?? ''} onChange={(e) => change('from', e.target.value)} />
        )}
      </Field>
      <Field label="To (UTC)">
        {(control) => (
          <Input {...control} type="date" value={filters.to ?? ''} onChange={(e) => change('to', e.target.value)} />
        )}
      </Field>
      <Button kind="quiet" disabled={!hasFilter} onClick={() => start(() => router.push('/usage', { scroll: false }))}>
        Clear filters
      </Button>
    </search>
  )
}
