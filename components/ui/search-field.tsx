'use client'

import { Search } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState, useTransition } from 'react'
import { cn } from './cn'
import { Input } from './field'
import { listUrl } from './list-url'
import { useSlashFocus } from './use-slash-focus'

/** How long one must not have typed before the list is asked again. */
const PAUSE_MS = 250

type Props = { param: string; label: string; placeholder?: string; maxLength?: number; className?: string }

/**
 * Searches a list: what is typed becomes a parameter of the URL after a pause, or with Enter. The
 * key `/` focuses it. Going back in the history shows what was searched for there.
 */
export function SearchField({ param, label, placeholder = label, maxLength = 200, className }: Props) {
  const router = useRouter()
  const path = usePathname()
  const inUrl = useSearchParams().get(param) ?? ''
  const [typed, setTyped] = useState(inUrl)
  const [busy, start] = useTransition()
  // What this field put into the URL last: any other value there came from a link or the history.
  const [sent, setSent] = useState(inUrl)
  if (inUrl !== sent && !busy) {
    setSent(inUrl)
    setTyped(inUrl)
  }
  const field = useRef<HTMLInputElement>(null)
  useSlashFocus(field)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (value: string) => {
    clearTimeout(timer.current)
    const asked = value.trim()
    const params = new URLSearchParams(window.location.search)
    setSent(asked)
    if (asked !== (params.get(param) ?? ''))
      start(() => router.replace(listUrl(path, params, { [param]: asked }), { scroll: false }))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    const value = event.key === 'Enter' ? typed : ''
    if (event.key === 'Escape' && typed === '') event.currentTarget.blur()
    setTyped(value)
    search(value)
  }
  // Whoever clicks a link before the pause is over goes there, not to what was typed.
  const onBlur = ({ relatedTarget }: FocusEvent<HTMLInputElement>) => {
    clearTimeout(timer.current)
    if (!(relatedTarget instanceof HTMLAnchorElement)) search(typed)
  }
  return (
    <div className={cn('group relative min-w-52 flex-1 sm:max-w-80', className)} aria-busy={busy}>
      <Search
        className={cn('pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted', busy && 'animate-pulse')}
        aria-hidden
      />
      <Input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(value), PAUSE_MS)
        }}
        className="pl-8"
      />
    </div>
  )
}
