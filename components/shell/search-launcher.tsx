'use client'

import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { isTyping } from '../ui/is-typing'
import { Keys } from '../ui/kbd'
import { navigationItems, type Viewer } from './navigation-items'
import { type Shortcut, shortcutOf } from './shortcut'

/** How long after g the letter of a page counts. */
const GO_MS = 1_500

// Loaded when they are first opened: no page carries them.
const LOADERS = {
  search: () => import('./command-palette').then(({ CommandPalette }) => ({ kind: 'search' as const, CommandPalette })),
  help: () => import('./shortcut-help').then(({ ShortcutHelp }) => ({ kind: 'help' as const, ShortcutHelp })),
}
type Opened = Awaited<ReturnType<(typeof LOADERS)[keyof typeof LOADERS]>>

type Props = { owner: string; viewer: Viewer; searchKeys: string }

/** The button of the search, and the shortcuts of every page. */
export function SearchLauncher({ owner, viewer, searchKeys }: Props) {
  const router = useRouter()
  const [opened, setOpened] = useState<Opened | null>(null)
  const goUntil = useRef(0)
  const close = () => setOpened(null)
  // A part that cannot be loaded opens nothing: the banner says that the server is away.
  const open = (kind: keyof typeof LOADERS) => void LOADERS[kind]().then(setOpened, () => {})

  useEffect(() => {
    const act = (shortcut: Shortcut): boolean => {
      if (shortcut.kind === 'wait') goUntil.current = Date.now() + GO_MS
      if (shortcut.kind === 'help') open('help')
      if (shortcut.kind !== 'go') return true
      const page = navigationItems(viewer).find(({ go }) => go === shortcut.key)
      if (page) router.push(page.href)
      return page !== undefined
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const shortcut = shortcutOf({ ...pressOf(event), isTyping: isTyping(event.target) }, Date.now() < goUntil.current)
      if (event.key !== 'Shift') goUntil.current = 0
      if (shortcut && !document.querySelector('dialog[open]') && act(shortcut)) event.preventDefault()
    }
    // Before the keys of tables, so that the k of “g k” does not move a row.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  })

  return (
    <>
      <button
        type="button"
        // Pressed by these keys: early-events.ts
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => open('search')}
        className="inline-flex h-8 items-center justify-center gap-2 rounded border border-transparent px-2 text-muted hover:bg-sunken hover:text-text md:mr-auto md:w-56 md:justify-start md:border-line md:bg-sunken"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 text-left text-table max-md:sr-only">Search</span>
        <span aria-hidden className="max-md:hidden">
          <Keys keys={[searchKeys]} />
        </span>
      </button>
      {opened?.kind === 'search' && (
        <opened.CommandPalette owner={owner} viewer={viewer} onClose={close} onHelp={() => open('help')} />
      )}
      {opened?.kind === 'help' && <opened.ShortcutHelp viewer={viewer} onClose={close} />}
    </>
  )
}

const pressOf = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent) => ({ key, metaKey, ctrlKey, altKey })
