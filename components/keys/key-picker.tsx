'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { KeyView } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { formatCredits } from '../ui/amount'
import { Combobox, type ComboboxOption } from '../ui/combobox'
import { secretHint } from './scopes'

type Props = {
  label: string
  hint?: ReactNode
  /** The chosen key's id; null: none. */
  value: number | null
  /** The chosen key's name, where the page knows it; otherwise it is looked up. */
  name?: string
  /** What choosing no key means, such as "All keys". Without it one must be chosen. */
  none?: string
  /** Whose keys, for operators; omitted: those of who looks. */
  ofOwner?: number
  /** Only keys in this state, or with this scope. */
  only?: { state?: KeyView['state']; may?: 'llm' | 'agent' }
  /** What is beside a key's name; omitted: the end of its secret. */
  noteOf?: (key: KeyView) => string
  onChange: (key: KeyView | null) => void
}

const MAX_SHOWN = 20

const endOf = (key: KeyView) => secretHint(key, key.last4)

/** What is typed, once it stays for a moment. */
function useSettled(text: string | null): string | null {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), text ? 150 : 0)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** A choice among an owner's keys, however many: the service searches names, tags and last four. */
export function KeyPicker({ label, hint, value, name, none, ofOwner, only, noteOf = endOf, onChange }: Props) {
  const trpc = useTRPC()
  const [typed, setTyped] = useState<string | null>(null)
  const q = useSettled(typed)
  const search = { ...only, q: q ?? '', limit: MAX_SHOWN }
  const whileTyping = { placeholderData: keepPreviousData }
  const own = useQuery(
    trpc.keys.search.queryOptions(search, { ...whileTyping, enabled: q !== null && ofOwner === undefined }),
  )
  const others = useQuery(
    trpc.operators.owners.keys.queryOptions(
      { ...search, ownerId: ofOwner ?? 0 },
      { ...whileTyping, enabled: q !== null && ofOwner !== undefined },
    ),
  )
  const found = ofOwner === undefined ? own : others
  const rows = found.data?.rows ?? []
  const isListed = rows.some(({ id }) => id === value)
  const asked = useQuery(
    trpc.keys.names.queryOptions(
      { ids: [value ?? 0] },
      { enabled: value !== null && name === undefined && ofOwner === undefined && !isListed },
    ),
  )
  const chosenName = name ?? asked.data?.[0]?.name ?? (asked.isPending && !asked.isFetching ? '' : `Key ${value}`)
  const options: ComboboxOption[] = [
    ...(none ? [{ id: '', label: none, group: '', words: '' }] : []),
    ...(value !== null && !isListed ? [{ id: String(value), label: chosenName, group: '', words: '' }] : []),
    ...rows.map((key) => ({
      id: String(key.id),
      label: key.name,
      note: noteOf(key),
      group: '',
      words: 'found',
    })),
  ]
  const more = (found.data?.totals.count ?? 0) - rows.length
  return (
    <Combobox
      label={label}
      hint={hint}
      options={options}
      value={value === null ? '' : String(value)}
      onChange={(id) => {
        const key = rows.find((row) => String(row.id) === id) ?? null
        if (id === '' || key) onChange(key)
      }}
      // The service has matched the rows; the other choices are there until a search begins.
      matches={(words, text) => words !== '' || text === ''}
      onType={setTyped}
      footer={
        found.isError
          ? 'The keys did not load. Type to try again.'
          : more > 0
            ? `And ${formatCredits(more)} more: type a name, a tag or the last four characters`
            : undefined
      }
    />
  )
}
