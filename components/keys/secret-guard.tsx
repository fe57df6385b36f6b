'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { COPIED, copyText } from '../ui/copy-text'
import { ModalDialog } from '../ui/modal-dialog'

/** The page of this service that a click on a link would open here; null: another click. */
function pageOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) return null
  const { origin, pathname, search, hash } = new URL(link.href)
  return origin === location.origin && pathname !== location.pathname ? `${pathname}${search}${hash}` : null
}

/** Asks before a page is left whose secret was not copied: it is not shown again. */
export function SecretGuard({ secret }: { secret: string }) {
  const router = useRouter()
  const [isCopied, setCopied] = useState(false)
  const [leavesTo, setLeavesTo] = useState<string | null>(null)
  useEffect(() => {
    if (isCopied) return
    const noteCopy = (event: Event) => {
      const text = event instanceof CustomEvent ? String(event.detail) : String(document.getSelection())
      if (text.includes(secret)) setCopied(true)
    }
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const hold = (event: MouseEvent) => {
      const page = pageOf(event)
      if (page === null) return
      event.preventDefault()
      event.stopPropagation()
      setLeavesTo(page)
    }
    window.addEventListener(COPIED, noteCopy)
    document.addEventListener('copy', noteCopy)
    window.addEventListener('beforeunload', ask)
    document.addEventListener('click', hold, true)
    return () => {
      window.removeEventListener(COPIED, noteCopy)
      document.removeEventListener('copy', noteCopy)
      window.removeEventListener('beforeunload', ask)
      document.removeEventListener('click', hold, true)
    }
  }, [secret, isCopied])
  // Also when the copy was slow to arrive, and the link was followed meanwhile.
  useEffect(() => {
    if (!isCopied || leavesTo === null) return
    setLeavesTo(null)
    router.push(leavesTo)
  }, [isCopied, leavesTo, router])
  if (leavesTo === null) return null
  return (
    <ModalDialog
      label="Leave without the secret?"
      onClose={() => setLeavesTo(null)}
      className="top-[20vh] w-[min(28rem,calc(100vw-2rem))]"
    >
      <div className="grid gap-3 p-4">
        <p>The secret was not copied, and is not shown again. Whoever needs it later must rotate the key.</p>
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            size="small"
            autoFocus
            onClick={async () => {
              if (!(await copyText(secret))) setLeavesTo(null)
            }}
          >
            Copy and leave
          </Button>
          <Button size="small" onClick={() => setCopied(true)}>
            Leave without it
          </Button>
          <Button size="small" onClick={() => setLeavesTo(null)}>
            Stay
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}
