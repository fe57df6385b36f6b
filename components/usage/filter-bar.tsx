'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { KeyPicker } from '../keys/key-picker'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { FilterFold } from '../ui/filter-fold'
import { urlWith } from '../ui/list-url'
import { SearchField } from '../ui/search-field'
import { countFilters, isFiltered, type UsageFilters } from './filters'
import { CHANNEL_LABELS, PRODUCT_LABELS } from './receipt-labels'
import { OUTCOME_LABELS } from './usage-labels'

type ChoiceProps = {
  label: string
  value: string | undefined
  choices: Record<string, string>
  onChange: (value: string) => void
}

const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <Select {...control} value={value ?? ''} onChange={(e) => onChange(e.target.value)}>
        <option value="">All</option>
        {Object.entries(choices).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

/** The filters of the call list, below a search for one call. Every change is in the URL. */
export function FilterBar({ filters, names }: { filters: UsageFilters; names: string[] }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const go = (url: string) => start(() => router.push(url, { scroll: false }))
  const change = (name: keyof UsageFilters, value: string) =>
    go(urlWith('/usage', { ...filters, q: undefined, [name]: value || undefined }))
  // The current name may be missing from the choices.
  const { what } = filters
  const nameChoices = what === undefined || names.includes(what) ? names : [...names, what]
  const { range, from, to, by, group } = filters
  return (
    <search aria-label="Filter calls" aria-busy={busy} className="mb-4 grid gap-2">
      <FilterFold
        active={countFilters(filters)}
        className="grid-cols-2 items-end sm:grid-cols-3 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
      >
        <KeyPicker
          label="Key"
          none="All keys"
          value={filters.keyId ?? null}
          onChange={(key) => change('keyId', key ? String(key.id) : '')}
        />
        <Choice
          label="Tool or model"
          value={what}
          choices={Object.fromEntries(nameChoices.map((name) => [name, name]))}
          onChange={(value) => change('what', value)}
        />
        <Choice
          label="Channel"
          value={filters.channel}
          choices={CHANNEL_LABELS}
          onChange={(value) => change('channel', value)}
        />
        <Choice
          label="Product"
          value={filters.product}
          choices={PRODUCT_LABELS}
          onChange={(value) => change('product', value)}
        />
        <Choice
          label="Status"
          value={filters.status}
          choices={OUTCOME_LABELS}
          onChange={(value) => change('status', value)}
        />
        <Field label="Customer">
          {(control) => (
            <Input
              {...control}
              key={filters.customer}
              defaultValue={filters.customer}
              maxLength={128}
              autoComplete="off"
              onKeyDown={(e) => e.key === 'Enter' && change('customer', e.currentTarget.value)}
              onBlur={(e) => e.target.value !== (filters.customer ?? '') && change('customer', e.target.value)}
            />
          )}
        </Field>
        <Button
          kind="quiet"
          disabled={!isFiltered(filters)}
          className="max-sm:disabled:hidden"
          onClick={() => go(urlWith('/usage', { range, from, to, by, group }))}
        >
          Clear filters
        </Button>
      </FilterFold>
      <SearchField param="q" label="Find a call by its request id or job id" className="sm:max-w-none" />
    </search>
  )
}
