import { useState } from 'react'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'

/** Beyond this a result is shown in part until someone asks for all of it. */
const MOST_LINES = 80
const MOST_CHARACTERS = 8_000

/** The beginning of a text, cut at a line where that comes first; the whole of one that is short enough. */
export const cutForDisplay = (text: string): string => text.split('\n', MOST_LINES).join('\n').slice(0, MOST_CHARACTERS)

/** A result as JSON; a huge one begins folded. */
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
