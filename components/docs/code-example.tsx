'use client'

import type { KeyboardEvent } from 'react'
import { cn } from '../ui/cn'
import { CopyButton } from '../ui/copy'
import { CodeText } from './code-text'
import { useLanguage } from './stored-value'

/** The same code in a language. */
type CodeVariant = { label: string; code: string }

/** `id` is this example's on its page. `response`: what comes back. */
type CodeExampleProps = { id: string; variants: CodeVariant[]; response?: string }

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * Code with a copy button, in the language that the reader chose where there are several, and what
 * comes back.
 */
export function CodeExample({ id, variants, response }: CodeExampleProps) {
  const [language, setLanguage] = useLanguage()
  const shown = variants.find(({ label }) => label === language) ?? variants[0]
  if (!shown) return null
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = variants.at((variants.indexOf(shown) + step) % variants.length)
    if (!next) return
    setLanguage(next.label)
    document.getElementById(`${id}-${next.label}`)?.focus()
  }
  const isSingle = variants.length === 1
  return (
    <div className="my-4 min-w-0 overflow-hidden rounded border bg-sunken">
      <div className="flex items-center justify-between gap-3 border-b bg-raised pr-1 pl-3">
        {isSingle ? (
          <span className="text-caption text-muted">{shown.label}</span>
        ) : (
          <div role="tablist" aria-label="Language" onKeyDown={onKeyDown} className="flex gap-4 overflow-x-auto">
            {variants.map(({ label }) => (
              <button
                key={label}
                type="button"
                role="tab"
                id={`${id}-${label}`}
                aria-selected={label === shown.label}
                aria-controls={`${id}-code`}
                tabIndex={label === shown.label ? 0 : -1}
                onClick={() => setLanguage(label)}
                className={cn(
                  '-mb-px border-b-2 border-transparent py-2 text-caption font-medium whitespace-nowrap text-muted hover:text-text',
                  label === shown.label && 'border-accent text-text',
                )}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        <CopyButton text={shown.code} bare label="Copy code" />
      </div>
      {isSingle ? (
        <CodeText code={shown.code} />
      ) : (
        <div id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${shown.label}`}>
          <CodeText code={shown.code} />
        </div>
      )}
      {response && (
        <div className="border-t">
          <p className="bg-raised px-3 pt-2 pb-1 text-caption text-muted">Response</p>
          <CodeText code={response} isResponse />
        </div>
      )}
    </div>
  )
}
