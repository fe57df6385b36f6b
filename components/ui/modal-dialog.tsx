'use client'

import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { cn } from './cn'

type Props = { label: string; onClose: () => void; className?: string; children: ReactNode }

/**
 * A dialog in the middle of the page, open while it is drawn: the browser's modal one, which traps
 * and restores the focus. Closes on Escape and on a click outside.
 */
export function ModalDialog({ label, onClose, className, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
    return () => shown?.close()
  }, [])
  const closeOnOutsideClick = ({ target, currentTarget }: MouseEvent) => target === currentTarget && onClose()
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={onClose}
      onMouseDown={closeOnOutsideClick}
      className={cn(
        'fixed inset-x-0 mx-auto max-h-[84vh] overflow-hidden rounded border bg-raised p-0 text-text shadow-[0_16px_48px_oklch(0_0_0/0.28)] backdrop:bg-[oklch(0_0_0/0.35)]',
        className,
      )}
    >
      {children}
    </dialog>
  )
}
