import Link from 'next/link'
import { creditsText } from '../price/price-text'
import { Button } from '../ui/button'
import { CreditsLink } from '../ui/credits-link'
import type { ChatToolCall } from './turn'

const STATES: Record<ChatToolCall['state'], string> = {
  priced: 'Waiting',
  asked: 'Waiting for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  declined: 'Declined',
  stopped: 'Stopped',
}

function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const BOX = 'num mt-1 max-h-56 overflow-auto rounded border bg-sunken p-2 text-caption whitespace-pre-wrap'

/** A call of a tool that a model asked for: price, charge, input and result. */
export function ToolStep({ of, onDecide }: { of: ChatToolCall; onDecide: (isYes: boolean) => void }) {
  const { name, input, state, most, result, charged, requestId } = of
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
      <details className="min-w-0">
        <summary className="text-caption text-muted">{result === null ? 'Input' : 'Input and result'}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className={BOX}>
          {indentedJson(input)}
        </pre>
        {result !== null && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre tabIndex={0} className={BOX}>
            {indentedJson(result)}
          </pre>
        )}
      </details>
    </section>
  )
}
