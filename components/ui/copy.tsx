'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { copyText } from './copy-text'

type State = 'idle' | 'done' | 'failed'

/** What a press has done, beside the button: a word, or the text to copy by hand. */
const Outcome = ({ state, text, onClose }: { state: State; text: string; onClose: () => void }) => (
  <span aria-live="polite" className="absolute right-0 bottom-full z-30 mb-1 empty:hidden">
    {state === 'done' && (
      <span className="block rounded border bg-raised px-2 py-0.5 text-caption whitespace-nowrap text-text shadow-[0_4px_12px_oklch(0_0_0/0.14)]">
        Copied
      </span>
    )}
    {state === 'failed' && (
      <span className="grid w-64 gap-1 rounded border bg-raised p-2 text-caption text-text shadow-[0_4px_12px_oklch(0_0_0/0.14)]">
        The browser does not let this page copy. Press Ctrl C or ⌘ C:
        <input
          readOnly
          aria-label="Text to copy"
          value={text}
          ref={(field) => field?.select()}
          onBlur={onClose}
          className="num h-7 min-w-0 rounded border border-line-strong bg-raised px-1.5"
        />
      </span>
    )}
  </span>
)

/**
 * Copies a text, and says so beside the button for two seconds. Where the browser refuses, it shows
 * the text selected.
 */
export function CopyButton({ text, label = 'Copy', bare = false }: { text: string; label?: string; bare?: boolean }) {
  const [state, setState] = useState<State>('idle')
  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const Icon = state === 'done' ? Check : Copy
  return (
    <span className="relative inline-flex">
      <Button
        kind={bare ? 'quiet' : 'plain'}
        size={bare ? 'icon' : 'small'}
        aria-label={bare ? label : undefined}
        title={bare ? label : undefined}
        onClick={async () => setState((await copyText(text)) ? 'done' : 'failed')}
      >
        <Icon className={cn('size-3.5', state === 'done' && 'text-good')} aria-hidden />
        {!bare && label}
      </Button>
      <Outcome state={state} text={text} onClose={() => setState('idle')} />
    </span>
  )
}

/** Code with a copy button, which is below the code where `narrow`. */
export function CopyBox({ code, label, narrow = false }: { code: string; label: string; narrow?: boolean }) {
  return (
    <div className="relative rounded border bg-sunken text-text">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={cn('overflow-x-auto p-3 font-mono text-caption leading-5', !narrow && 'sm:pr-24')}
      >
        <pre className="font-mono">{code}</pre>
      </section>
      <div className={cn('border-t p-2', !narrow && 'sm:absolute sm:top-2 sm:right-2 sm:border-0 sm:p-0')}>
        <CopyButton text={code} />
      </div>
    </div>
  )
}

/** A long id, shortened in the middle; the button copies all of it. */
export function ShortId({ id }: { id: string }) {
  const short = id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
  return (
    <span className="inline-flex items-center gap-1">
      <span className="num" title={id}>
        {short}
      </span>
      <CopyButton text={id} bare label="Copy id" />
    </span>
  )
}
