'use client'

import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button'

/** A side panel over the page: keeps the focus, closes by Escape, by its button and by a press beside it. */
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
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.35)]" />
        <Dialog.Content className="fixed inset-y-0 right-0 z-50 flex w-full max-w-[440px] animate-slide flex-col border-l bg-raised">
          <header className="flex items-start gap-3 border-b px-5 py-3">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="truncate font-semibold">{title}</Dialog.Title>
              <Dialog.Description className="text-caption text-muted">{note}</Dialog.Description>
            </div>
            <Dialog.Close asChild>
              <Button kind="quiet" size="icon" aria-label="Close">
                <X className="size-4" aria-hidden />
              </Button>
            </Dialog.Close>
          </header>
          <div className="flex-1 overflow-y-auto px-5 py-4">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
