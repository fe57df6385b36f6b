'use client'

import { X } from 'lucide-react'
import { Button } from '../ui/button'
import { Keys } from '../ui/kbd'
import { ModalDialog } from '../ui/modal-dialog'
import { navigationItems, type Viewer } from './navigation-items'

type Line = readonly [what: string, ...keys: string[]]

const EVERYWHERE: readonly Line[] = [
  ['Search everything', '⌘ K', 'Ctrl K'],
  ['Focus the search of a list', '/'],
  ['Show the shortcuts', '?'],
  ['Close a panel or dialog', 'Esc'],
]
const TABLES: readonly Line[] = [
  ['Next row', 'j'],
  ['Previous row', 'k'],
  ['Open the row', 'Enter'],
]

const Group = ({ title, lines, isEither }: { title: string; lines: readonly Line[]; isEither?: boolean }) => (
  <section>
    <h2 className="mb-1 font-semibold">{title}</h2>
    <dl className="divide-y">
      {lines.map(([what, ...keys]) => (
        <div key={what} className="flex items-center justify-between gap-4 py-1">
          <dt>{what}</dt>
          <dd className="flex items-center gap-1.5">
            {isEither && keys.length > 1 ? (
              <>
                <Keys keys={keys.slice(0, 1)} /> <span className="text-caption text-muted">or</span>
                <Keys keys={keys.slice(1)} />
              </>
            ) : (
              <Keys keys={keys} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

/** The shortcuts of the dashboard. */
export const ShortcutHelp = ({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) => (
  <ModalDialog label="Keyboard shortcuts" onClose={onClose} className="top-[8vh] w-[min(680px,calc(100vw-24px))]">
    <div className="max-h-[80vh] overflow-y-auto p-5">
      <div className="mb-4 flex items-center justify-between gap-3">
        <p className="text-title font-semibold tracking-tight">Keyboard shortcuts</p>
        <Button kind="quiet" size="icon" aria-label="Close" onClick={onClose}>
          <X className="size-4" aria-hidden />
        </Button>
      </div>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          <Group title="Everywhere" lines={EVERYWHERE} isEither />
          <Group title="In tables" lines={TABLES} />
        </div>
        <Group title="Go to" lines={navigationItems(viewer).map(({ label, go }) => [label, 'g', go])} />
      </div>
      <p className="mt-4 text-caption text-muted">Letters do nothing while you type in a field.</p>
    </div>
  </ModalDialog>
)
