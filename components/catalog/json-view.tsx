import { useState } from 'react'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'

/** A longer result is cut until the reader expands it. */
const MAX_LINES = 80
const MAX_CHARACTERS = 8_000

/** The beginning of a text, or all of a short one. */
const cutForDisplay = (text: string): string => text.split('\n', MAX_LINES).join('\n').slice(0, MAX_CHARACTERS)

/** A result as JSON; a long one starts collapsed. */
export function JsonView({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const beginning = cutForDisplay(text)
  const isCut = beginning.length < text.length
  return (
    <div className="rounded border bg-sunken">
      <section
        aria-label="Result"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[70dvh] overflow-auto p-3"
      >
        <pre className="font-mono text-caption leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
          {isWhole ? text : beginning}
          {isCut && !isWhole && '\n…'}
        </pre>
      </section>
      {isCut && (
        <div className="border-t p-2">
          <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show the beginning' : `Show all ${formatCredits(text.length)} characters`}
          </Button>
        </div>
      )}
    </div>
  )
}
