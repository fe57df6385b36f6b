import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Input } from '../ui/field'
import { TimeAgo } from '../ui/time-ago'
import type { ConversationHead } from './conversations'

type Props = {
  of: readonly ConversationHead[]
  /** The one that is shown. */
  current: string
  /** A message is being answered: no other one can be opened. */
  isBusy: boolean
  onOpen: (id: string) => void
  onRename: (id: string, title: string) => void
  onRemove: (id: string) => void
  onRemoveAll: () => void
}

/** The conversations of this browser, newest first. */
export function ConversationList({ of, current, isBusy, onOpen, onRename, onRemove, onRemoveAll }: Props) {
  const [isClearing, setClearing] = useState(false)
  return (
    <details className="min-w-0">
      <summary className="mb-2 text-table font-medium">Conversations ({of.length})</summary>
      <ul aria-label="Conversations" className="grid max-h-72 gap-0.5 overflow-y-auto">
        {of.map((head) => (
          <Row
            key={head.id}
            of={head}
            isCurrent={head.id === current}
            isBusy={isBusy}
            onOpen={() => onOpen(head.id)}
            onRename={(title) => onRename(head.id, title)}
            onRemove={() => onRemove(head.id)}
          />
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap items-center gap-2 text-caption text-muted">
        <span className="min-w-0 flex-1 basis-40">Kept in this browser, for your account alone.</span>
        {isClearing ? (
          <>
            <Button
              size="small"
              kind="destroy"
              onClick={() => {
                setClearing(false)
                onRemoveAll()
              }}
            >
              Delete {of.length} conversations
            </Button>
            <Button size="small" onClick={() => setClearing(false)}>
              Keep
            </Button>
          </>
        ) : (
          <Button size="small" kind="quiet" onClick={() => setClearing(true)}>
            Delete all
          </Button>
        )}
      </div>
    </details>
  )
}

type RowProps = {
  of: ConversationHead
  isCurrent: boolean
  isBusy: boolean
  onOpen: () => void
  onRename: (title: string) => void
  onRemove: () => void
}

function Row({ of: { title, updatedAt }, isCurrent, isBusy, onOpen, onRename, onRemove }: RowProps) {
  const [mode, setMode] = useState<'shown' | 'renaming' | 'removing'>('shown')
  if (mode === 'renaming') {
    return (
      <li>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onRename(String(new FormData(event.currentTarget).get('title') ?? ''))
            setMode('shown')
          }}
          onKeyDown={(event) => event.key === 'Escape' && setMode('shown')}
          className="flex gap-1"
        >
          <Input
            autoFocus
            name="title"
            aria-label="Title"
            maxLength={60}
            defaultValue={title}
            className="h-8 text-table"
          />
          <Button type="submit" size="small" className="h-8">
            Rename
          </Button>
        </form>
      </li>
    )
  }
  if (mode === 'removing') {
    return (
      <li className="flex flex-wrap items-center gap-1 py-0.5 text-table">
        <span className="min-w-0 flex-1 truncate">Delete “{title}”?</span>
        <Button autoFocus size="small" kind="destroy" onClick={onRemove}>
          Delete
        </Button>
        <Button size="small" onClick={() => setMode('shown')}>
          Keep
        </Button>
      </li>
    )
  }
  return (
    <li className={cn('flex items-center gap-0.5 rounded pr-1', isCurrent && 'bg-accent-weak')}>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        disabled={isBusy && !isCurrent}
        onClick={onOpen}
        className="min-w-0 flex-1 rounded px-2 py-1 text-left hover:bg-sunken"
      >
        <span className="block truncate text-table">{title}</span>
        <TimeAgo at={new Date(updatedAt).toISOString()} className="text-caption text-muted" />
      </button>
      <Button size="icon" kind="quiet" aria-label={`Rename ${title}`} onClick={() => setMode('renaming')}>
        <Pencil className="size-3.5" aria-hidden />
      </Button>
      <Button size="icon" kind="quiet" aria-label={`Delete ${title}`} onClick={() => setMode('removing')}>
        <Trash2 className="size-3.5" aria-hidden />
      </Button>
    </li>
  )
}
