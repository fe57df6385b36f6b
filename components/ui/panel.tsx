'use client'

import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button'

/**
 * A side panel over the page: the browser's modal dialog, which traps and restores the focus.
 * Closes on Escape, on its button and on a click outside.
 */
export function SidePanel({
  open,
  onClose,
  title,
  note,
  children,
}: {
  open: boolean
  onClose: () => void
  title: ReactNode
  note: string
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  const closeOnOutsideClick = ({ target, currentTarget }: MouseEvent) => target === currentTarget && onClose()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-note`}
      onClose={() => open && onClose()}
      onMouseDown={closeOnOutsideClick}
      className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-full max-w-[440px] animate-slide border-l bg-raised text-text backdrop:bg-[oklch(0_0_0/0.35)]"
    >
      {open && (
        <div className="flex h-full flex-col">
          <header className="flex items-start gap-3 border-b px-5 py-3">
            <div className="min-w-0 flex-1">
              <h2 id={`${id}-title`} className="truncate font-semibold">
                {title}
              </h2>
              <p id={`${id}-note`} className="text-caption text-muted">
                {note}
              </p>
            </div>
            <Button kind="quiet" size="icon" aria-label="Close" onClick={onClose}>
              <X className="size-4" aria-hidden />
            </Button>
          </header>
          <div className="flex-1 overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
        </div>
      )}
    </dialog>
  )
}
