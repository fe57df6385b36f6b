'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTRPC } from '../trpc'
import { ModalDialog } from '../ui/modal-dialog'
import { CommandList, optionId } from './command-list'
import { type CommandItem, commandGroups, optionAfter, pageCommands } from './commands'
import type { Viewer } from './navigation-items'
import { addRecent, readRecent } from './recent'

/** A value once it has stayed the same for a while (ms). */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Fewer letters are searched for among the pages only. */
const MIN_LETTERS = 2

/** What the server finds for what is typed; nothing for one letter. */
function useFound(typed: string) {
  const q = useDebounced(typed, 120)
  const isAsked = typed.length >= MIN_LETTERS
  const { data, isFetching, isError } = useQuery(
    useTRPC().search.everything.queryOptions(
      { q },
      { enabled: q.length >= MIN_LETTERS, placeholderData: keepPreviousData, retry: false },
    ),
  )
  return {
    found: isAsked ? (data ?? []) : [],
    isWaiting: isAsked && (isFetching || q !== typed),
    isError: isAsked && isError,
  }
}

/** How the search went, in a sentence. */
function describe({ isWaiting, isError, count }: { isWaiting: boolean; isError: boolean; count: number }): string {
  if (isError) return 'Only pages are listed: the search could not be reached.'
  if (isWaiting) return 'Searching…'
  return count === 0
    ? 'No matches. Search by name, or by a whole id.'
    : `${count} ${count === 1 ? 'result' : 'results'}`
}

type Props = { owner: string; viewer: Viewer; onClose: () => void; onHelp: () => void }

/** The search over pages and everything an owner has. Arrow keys move, Enter opens. */
export function CommandPalette({ owner, viewer, onClose, onHelp }: Props) {
  const router = useRouter()
  const list = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [recent] = useState(() => readRecent(owner))
  const { found, isWaiting, isError } = useFound(typed.trim())
  const groups = commandGroups({ typed: typed.trim(), pages: pageCommands(viewer), recent, found })
  const items = groups.flatMap((group) => group.items)
  const count = groups.filter(({ title }) => title !== 'Lists').flatMap((group) => group.items).length
  const active = items[Math.min(at, items.length - 1)]

  const open = (item: CommandItem) => {
    onClose()
    if (item.href === '?') return onHelp()
    if (item.kind !== 'page') addRecent(owner, item)
    router.push(item.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = optionAfter(event.key, Math.min(at, items.length - 1), items.length)
    if (next === null && event.key !== 'Enter') return
    event.preventDefault()
    if (next !== null) setAt(next)
    else if (active) open(active)
  }
  return (
    <ModalDialog label="Search" onClose={onClose} className="top-[8vh] w-[min(640px,calc(100vw-24px))]">
      <input
        // biome-ignore lint/a11y/noAutofocus: a dialog begins at its first field
        autoFocus
        role="combobox"
        aria-label="Search pages, keys, tools, models, jobs and request ids"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(list, active)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder="Search, or paste a request id"
        value={typed}
        onChange={(e) => {
          setTyped(e.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className="w-full border-b bg-transparent px-4 py-3 text-[1rem] placeholder:text-muted focus-visible:outline-none"
      />
      <CommandList
        id={list}
        groups={groups}
        active={active}
        busy={isWaiting}
        onPoint={(item) => setAt(items.indexOf(item))}
        onOpen={open}
      />
      <p role="status" className="border-t px-4 py-2 text-caption text-muted">
        {describe({ isWaiting, isError, count })}
      </p>
    </ModalDialog>
  )
}
