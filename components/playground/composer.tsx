import { ImagePlus, SendHorizontal, Square, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { useEarlyInput } from '../ui/early-input'
import { Notice } from '../ui/page'
import { ATTACHMENT_RULE, ATTACHMENT_TYPES, readAttachments } from './attachments'
import type { ChatDraft } from './turn'

type Props = {
  draft: ChatDraft
  onChange: (draft: ChatDraft) => void
  onSend: () => void
  onStop: () => void
  isBusy: boolean
  /** True while the settings are invalid. */
  blocked: boolean
  /** Why images cannot be sent; null: they can. */
  noImages: string | null
  /** What the button says. */
  sendLabel: string
  note: ReactNode
}

/**
 * The input for the next message. Enter sends, Shift+Enter adds a line, Escape stops the response.
 */
export function Composer({ draft, onChange, onSend, onStop, isBusy, blocked, noImages, sendLabel, note }: Props) {
  const [error, setError] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const canSend = !isBusy && !blocked && (draft.text.trim() !== '' || draft.images.length > 0)

  // Grows with the text, up to a limit, and shrinks when it was sent.
  useEffect(() => {
    const area = box.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = draft.text === '' ? '' : `${Math.min(area.scrollHeight + 2, 240)}px`
  }, [draft.text])

  // Back to writing, whatever was pressed to send or stop; not from another field.
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    const { activeElement } = document
    const isFree = activeElement === document.body || box.current?.form?.contains(activeElement)
    if (wasBusy.current !== isBusy && isFree) box.current?.focus({ preventScroll: true })
    wasBusy.current = isBusy
  }, [isBusy])

  const attach = async (chosen: readonly File[]) => {
    if (noImages) return setError(noImages)
    const { images, error: wrong } = await readAttachments(chosen)
    setError(wrong)
    if (images.length > 0) onChange({ ...draft, images: [...draft.images, ...images] })
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
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        void attach([...event.dataTransfer.files])
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      {error && <Notice tone="bad">{error}</Notice>}
      {draft.images.length > 0 && (
        <ul aria-label="Attached images" className="flex flex-wrap gap-2">
          {draft.images.map((image) => (
            <li key={image.url.slice(-80)} className="relative">
              {/* biome-ignore lint/performance/noImgElement: it is a data: URI already here */}
              <img src={image.url} alt={image.name} className="h-16 max-w-32 rounded border object-cover" />
              <Button
                size="icon"
                aria-label={`Remove ${image.name}`}
                className="absolute -top-2 -right-2 size-6"
                onClick={() => onChange({ ...draft, images: draft.images.filter((p) => p !== image) })}
              >
                <X className="size-3.5" aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="rounded border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <textarea
          ref={useEarlyInput(box)}
          aria-label="Message"
          // biome-ignore lint/a11y/noAutofocus: writing is the purpose of the page
          autoFocus
          rows={2}
          placeholder="Write a message"
          value={draft.text}
          onChange={(e) => onChange({ ...draft, text: e.target.value })}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files]
            if (pasted.length === 0) return
            event.preventDefault()
            void attach(pasted)
          }}
          className="block max-h-60 w-full resize-none px-3 pt-2.5 pb-1 placeholder:text-muted focus-visible:outline-none"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <input
            ref={files}
            type="file"
            aria-label="Images"
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
            aria-label="Attach images"
            title={noImages ?? ATTACHMENT_RULE}
            disabled={noImages !== null}
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
              {sendLabel}
              <SendHorizontal className="size-3.5" aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </form>
  )
}
