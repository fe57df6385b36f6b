import Link from 'next/link'
import { lazy, Suspense, useMemo, useState } from 'react'
import { MediaView } from '../catalog/media-view'
import { creditsText } from '../price/price-text'
import { Button } from '../ui/button'
import { CreditsLink } from '../ui/credits-link'
import { Skeleton } from '../ui/skeleton'
import type { ChatToolCall } from './turn'

/** Loaded with the first result that somebody opens. */
const ResultView = lazy(() => import('../catalog/result-view').then(({ ResultView: of }) => ({ default: of })))

const STATES: Record<ChatToolCall['state'], string> = {
  priced: 'Waiting',
  asked: 'Waiting for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  declined: 'Declined',
  stopped: 'Stopped',
}

/** What a JSON text says; the text itself where it was cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A call of a tool that a model asked for: price, charge, input and result. */
export function ToolStep({ of, onDecide }: { of: ChatToolCall; onDecide: (isYes: boolean) => void }) {
  const { name, input, state, most, result, charged, requestId } = of
  const [isOpen, setOpen] = useState(false)
  const output = useMemo(() => (result === null ? null : parsed(result)), [result])
  const isMade = state === 'done' && output !== null
  return (
    <section
      aria-label={`Call of ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded border px-3 py-2 text-table"
    >
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="num font-medium">{name}</span>
        <span role="status" className={state === 'failed' ? 'text-bad' : 'text-muted'}>
          {STATES[state]} {of.isShort && <CreditsLink />}
        </span>
        <span className="ml-auto text-caption text-muted">
          {charged === null ? most !== null && `up to ${creditsText(most)}` : creditsText(charged)}{' '}
          {requestId && (
            <Link href={`/usage?receipt=${requestId}`} prefetch={false} className="text-accent hover:underline">
              Receipt
            </Link>
          )}
        </span>
      </p>
      {state === 'asked' && (
        <div className="grid gap-2 rounded bg-warn-weak p-2">
          <p>
            The model wants to run this.{' '}
            {most === null ? 'Only the provider knows its price.' : `It may cost up to ${creditsText(most)}.`}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" size="small" onClick={() => onDecide(true)}>
              {most === null ? 'Run anyway' : `Run for up to ${creditsText(most)}`}
            </Button>
            <Button size="small" onClick={() => onDecide(false)}>
              Decline
            </Button>
          </div>
        </div>
      )}
      {isMade && <MediaView result={output} baseUrl={location.origin} />}
      <details className="min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="text-caption text-muted">{result === null ? 'Input' : 'Input and result'}</summary>
        {isOpen && (
          <Suspense fallback={<Skeleton className="mt-2 h-3.5 w-2/5" />}>
            <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3">
              <ResultView output={parsed(input)} />
              {result !== null && <ResultView output={output} />}
            </div>
          </Suspense>
        )}
      </details>
    </section>
  )
}
