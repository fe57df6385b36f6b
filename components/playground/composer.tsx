import { ImagePlus, SendHorizontal, Square, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Notice } from '../ui/page'
import { ATTACHMENT_RULE, ATTACHMENT_TYPES, readAttachments } from './attachments'
import type { ChatDraft } from './turn'

type Props = {
  draft: ChatDraft
  onChange: (draft: ChatDraft) => void
  onSend: () => void
  onStop: () => void
  isBusy: boolean
  /** Why nothing can be sent now, beyond an empty message. */
  blocked: boolean
  sees: boolean
  note: ReactNode
}

/** Where the next message is written. Enter sends, Shift+Enter begins a line, Escape stops an answer. */
export function Composer({ draft, onChange, onSend, onStop, isBusy, blocked, sees, note }: Props) {
  const [error, setError] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const canSend = !isBusy && !blocked && (draft.text.trim() !== '' || draft.pictures.length > 0)

  // As tall as what is written, up to a point; what was emptied by sending shrinks again.
  useEffect(() => {
    const area = box.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = draft.text === '' ? '' : `${Math.min(area.scrollHeight + 2, 240)}px`
  }, [draft.text])

  const attach = async (chosen: readonly File[]) => {
    const { pictures, error: wrong } = await readAttachments(chosen)
    setError(wrong)
    if (pictures.length > 0) onChange({ ...draft, pictures: [...draft.pictures, ...pictures] })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBusy) onStop()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canSend) onSend()
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      {error && <Notice tone="bad">{error}</Notice>}
      {draft.pictures.length > 0 && (
        <ul aria-label="Pictures to send" className="flex flex-wrap gap-2">
          {draft.pictures.map((picture) => (
            <li key={picture.url.slice(-80)} className="relative">
              {/* biome-ignore lint/performance/noImgElement: it is a data: URI already here */}
              <img src={picture.url} alt={picture.name} className="h-16 max-w-32 rounded border object-cover" />
              <Button
                size="icon"
                aria-label={`Leave out ${picture.name}`}
                className="absolute -top-2 -right-2 size-6"
                onClick={() => onChange({ ...draft, pictures: draft.pictures.filter((p) => p !== picture) })}
              >
                <X className="size-3.5" aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="rounded border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <textarea
          ref={box}
          aria-label="Message"
          // biome-ignore lint/a11y/noAutofocus: to write is what one comes here for
          autoFocus
          rows={2}
          placeholder="Ask something"
          value={draft.text}
          onChange={(e) => onChange({ ...draft, text: e.target.value })}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files]
            if (pasted.length === 0 || !sees) return
            event.preventDefault()
            void attach(pasted)
          }}
          className="block max-h-60 w-full resize-none px-3 pt-2.5 pb-1 placeholder:text-muted focus-visible:outline-none"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <input
            ref={files}
            type="file"
            aria-label="Pictures"
            accept={ATTACHMENT_TYPES.join(',')}
            multiple
            hidden
            onChange={(event) => {
              void attach([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
          <Button
            kind="quiet"
            size="icon"
            aria-label="Attach pictures"
            title={sees ? ATTACHMENT_RULE : 'This model takes no pictures'}
            disabled={!sees}
            onClick={() => files.current?.click()}
          >
            <ImagePlus className="size-4" aria-hidden />
          </Button>
          <p className="min-w-0 flex-1 text-caption text-muted">{note}</p>
          {isBusy ? (
            <Button size="small" onClick={onStop}>
              <Square className="size-3 fill-current" aria-hidden />
              Stop
            </Button>
          ) : (
            <Button kind="primary" size="small" type="submit" disabled={!canSend}>
              Send
              <SendHorizontal className="size-3.5" aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </form>
  )
}
