'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTransition } from 'react'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'
import { Select } from '../ui/field'
import { listUrl } from '../ui/list-url'
import { SearchField } from '../ui/search-field'
import { KEY_STATES } from './key-state'

type Props = { tags: readonly { tag: string; keys: number }[] }

/** Search, state and tag of the list of keys, in the URL. */
export function KeyFilters({ tags }: Props) {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const [busy, start] = useTransition()
  const set = (values: Record<string, string | null>) =>
    start(() => router.push(listUrl(path, new URLSearchParams(window.location.search), values), { scroll: false }))
  const [state, tag] = [params.get('state') ?? '', params.get('tag') ?? '']
  const hasFilter = state !== '' || tag !== '' || params.has('q')
  const isListed = tag === '' || tags.some((one) => one.tag === tag)
  return (
    <search aria-label="Filter keys" aria-busy={busy} className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField param="q" label="Search keys" placeholder="Name, tag or last four" className="max-sm:basis-full" />
      <Select
        aria-label="State"
        value={state}
        onChange={(e) => set({ state: e.target.value })}
        className="w-auto max-sm:flex-1"
      >
        <option value="">All states</option>
        {KEY_STATES.map(({ id, word }) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </Select>
      {(tags.length > 0 || tag !== '') && (
        <Select
          aria-label="Tag"
          value={tag}
          onChange={(e) => set({ tag: e.target.value })}
          className="w-auto max-w-56 max-sm:flex-1"
        >
          <option value="">All tags</option>
          {!isListed && <option>{tag}</option>}
          {tags.map((one) => (
            <option key={one.tag} value={one.tag}>
              {one.tag} ({formatCredits(one.keys)})
            </option>
          ))}
        </Select>
      )}
      {hasFilter && (
        <Button kind="quiet" onClick={() => set({ q: null, state: null, tag: null })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
