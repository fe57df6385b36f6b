'use client'

import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn'
import { Input } from '../ui/field'
import { type FoundSection, loadSearch, type SearchDocs } from './search-index'

/** The search is on a page once. */
const LIST = 'docs-found'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

/** Focuses the field when someone presses the slash key outside of any field. */
function useSlashKey(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [focus])
}

/**
 * The search of the documentation. Its sections are loaded when the field gets the focus. The slash
 * key goes there; arrow keys move, Enter opens, Escape closes.
 */
export function DocsSearch() {
  const router = useRouter()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState<SearchDocs | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [focus] = useState(() => () => field.current?.focus())
  useSlashKey(focus)

  const words = typed.trim()
  const found = search && words ? search(words) : []
  const active = found[Math.min(at, found.length - 1)]
  const load = () => {
    setOpen(true)
    if (search) return
    setFailure(null)
    loadSearch().then(
      (loaded) => setSearch(() => loaded),
      (error: Error) => setFailure(error.message),
    )
  }
  const open = ({ url }: FoundSection) => {
    setOpen(false)
    setTyped('')
    field.current?.blur()
    router.push(url)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') return field.current?.blur()
    if (event.key === 'Enter' && active) return open(active)
    if (step === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(found.length - 1, at + step)))
  }
  return (
    <search className="relative">
      <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
      <Input
        ref={field}
        type="search"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={isOpen && words !== ''}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active ? `${LIST}-${found.indexOf(active)}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={typed}
        onFocus={load}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
        className="pr-8 pl-8"
      />
      <kbd
        aria-hidden
        className={cn(
          'pointer-events-none absolute top-2 right-2 rounded border px-1.5 text-caption text-muted max-lg:hidden',
          (isOpen || typed) && 'hidden',
        )}
      >
        /
      </kbd>
      <div
        id={LIST}
        role="listbox"
        aria-label="Sections that match"
        hidden={!isOpen || words === ''}
        className="absolute left-0 z-30 mt-1 max-h-[70dvh] w-[min(560px,calc(100vw-40px))] overflow-y-auto rounded border bg-raised p-1 text-table shadow-[0_8px_24px_oklch(0_0_0/0.14)]"
      >
        {found.map((section, i) => (
          <Found key={section.url} id={`${LIST}-${i}`} section={section} isActive={section === active} onOpen={open} />
        ))}
        {found.length === 0 && (
          <p className="px-2 py-1.5 text-muted">
            {failure ?? (search ? `No section matches “${words}”` : 'Loading the documentation …')}
          </p>
        )}
      </div>
    </search>
  )
}

type FoundProps = { id: string; section: FoundSection; isActive: boolean; onOpen: (section: FoundSection) => void }

const Found = ({ id, section, isActive, onOpen }: FoundProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the field, which handles the keys
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    // Taking the focus would close the list before the click.
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onOpen(section)}
    className={cn('cursor-pointer rounded-[4px] px-2 py-1.5 hover:bg-sunken', isActive && 'bg-accent-weak')}
  >
    <p className="truncate">
      <span className="text-muted">{section.page}</span>
      {section.heading && <span className="font-medium"> › {section.heading}</span>}
    </p>
    <p className="truncate text-caption text-muted">{section.excerpt}</p>
  </div>
)
