'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text and confirms it for two seconds; also shows when the browser refuses. */
export function CopyButton({ text, label = 'Copy', bare = false }: { text: string; label?: string; bare?: boolean }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const caption = { idle: label, done: 'Copied', failed: 'Select and copy it yourself' }[state]
  const Icon = state === 'done' ? Check : Copy
  return (
    <Button
      kind={bare ? 'quiet' : 'plain'}
      size={bare ? 'icon' : 'small'}
      aria-label={bare ? caption : undefined}
      title={bare ? caption : undefined}
      onClick={async () => setState((await toClipboard(text)) ? 'done' : 'failed')}
    >
      <Icon className={cn('size-3.5', state === 'done' && 'text-good')} aria-hidden />
      {!bare && <span aria-live="polite">{caption}</span>}
    </Button>
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
