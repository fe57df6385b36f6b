'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useTransition } from 'react'
import { KeyPicker } from '../keys/key-picker'
import { Button } from '../ui/button'
import { Field, Select } from '../ui/field'
import { FilterFold } from '../ui/filter-fold'
import { listUrl } from '../ui/list-url'
import { SearchField } from '../ui/search-field'

/** The choices of a filter, by its parameter of the URL. */
const CHOICES = [
  {
    param: 'origin',
    label: 'Started by',
    any: 'Anything',
    options: [
      ['api', 'A key, over the API'],
      ['dashboard', 'You, at the dashboard'],
      ['schedule', 'A schedule'],
    ],
  },
  {
    param: 'mode',
    label: 'Mode',
    any: 'Any mode',
    options: [
      ['autonomous', 'Autonomous'],
      ['interactive', 'Interactive'],
    ],
  },
  { param: 'webhook', label: 'Webhook', any: 'Any', options: [['failed', 'Failed in the last 7 days']] },
] as const

const FOLDED = ['status', 'keyId', 'origin', 'mode', 'webhook']
const PARAMS = [...FOLDED, 'q', 'range', 'from', 'to']

/** Search and filters of the job list; `children` is one more. Every change is in the URL. */
export function JobFilters({ children }: { children: ReactNode }) {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const [busy, start] = useTransition()
  const change = (set: Record<string, string | null>) =>
    start(() => router.push(listUrl(path, new URLSearchParams(window.location.search), set), { scroll: false }))
  const keyId = Number(params.get('keyId')) || null
  return (
    <search aria-label="Filter jobs" aria-busy={busy} className="mb-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField param="q" label="Search goals and job ids" className="sm:max-w-96" />
        {PARAMS.some((name) => params.has(name)) && (
          <Button kind="quiet" onClick={() => change(Object.fromEntries(PARAMS.map((name) => [name, null])))}>
            Clear filters
          </Button>
        )}
      </div>
      <FilterFold active={FOLDED.filter((name) => params.has(name)).length}>
        <div className="grid grid-cols-2 items-end gap-2 lg:grid-cols-4">
          <KeyPicker
            label="Key"
            value={keyId}
            none="All keys"
            only={{ may: 'agent' }}
            onChange={(key) => change({ keyId: key && String(key.id) })}
          />
          {CHOICES.map(({ param, label, any, options }) => (
            <Field key={param} label={label}>
              {(control) => (
                <Select
                  {...control}
                  value={params.get(param) ?? ''}
                  onChange={({ target: { value } }) => change({ [param]: value })}
                >
                  <option value="">{any}</option>
                  {options.map(([value, word]) => (
                    <option key={value} value={value}>
                      {word}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          ))}
        </div>
        {children}
      </FilterFold>
    </search>
  )
}
