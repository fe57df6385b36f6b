'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import type { RefusalRange } from '@/server/request-log/shape'
import { KeyPicker } from '../keys/key-picker'
import { ChoiceLinks } from '../ui/choice-links'
import { urlWith } from '../ui/list-url'

const RANGES: readonly (readonly [RefusalRange, string])[] = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
]

/** The time and the key that the page of refused calls is about, in its URL. */
export function RefusalFilters({ range, keyId }: { range: RefusalRange; keyId?: number }) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const show = (key: { id: number } | null) =>
    start(() => router.push(urlWith('/usage/refused', { range, keyId: key?.id }), { scroll: false }))
  return (
    <search
      aria-label="Filter refused calls"
      aria-busy={busy}
      className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2"
    >
      <ChoiceLinks label="Time" choices={RANGES} now={range} set={(id) => ({ range: id })} />
      <div className="w-64 max-w-full">
        <KeyPicker label="Key" none="All keys" value={keyId ?? null} onChange={show} />
      </div>
    </search>
  )
}
