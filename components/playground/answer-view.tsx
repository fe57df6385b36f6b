import { Square } from 'lucide-react'
import Link from 'next/link'
import { lazy, Suspense, useDeferredValue } from 'react'
import { creditsText } from '../price/price-text'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'
import { CreditsLink } from '../ui/credits-link'
import { Notice } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import { AnswerFooter } from './answer-footer'
import { ToolStep } from './tool-step'
import { answerCharge, answerText, type ChatAnswer, type ChatRound, isAnswering } from './turn'

/** Loaded with the first answer: the page itself needs no Markdown. */
const Markdown = lazy(() => import('../ui/markdown').then(({ Markdown }) => ({ default: Markdown })))

/** What a model wrote, as Markdown; as plain text until that is loaded. */
function AnswerText({ text }: { text: string }) {
  // While it streams, drawing may lag behind what arrives.
  const shown = useDeferredValue(text)
  return (
    <div data-testid="answer" className="max-w-[75ch] min-w-0">
      <Suspense fallback={<p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>}>
        <Markdown text={shown} />
      </Suspense>
    </div>
  )
}

const FINISH_REASONS: Record<string, string> = {
  length: 'Cut at the output limit',
  content_filter: 'Withheld by the provider’s content filter',
}

type Props = {
  of: ChatAnswer
  rate: number
  /** Other models answer beside it. */
  isOneOfSeveral: boolean
  onStop: () => void
  onDecide: (callId: string, isYes: boolean) => void
}

/** What one model answered to a message, with what it cost. */
export function AnswerView({ of, rate, isOneOfSeveral, onStop, onDecide }: Props) {
  const last = of.rounds.at(-1)
  const finish = last?.finishReason ? FINISH_REASONS[last.finishReason] : undefined
  const isWaiting = isAnswering(of) && last !== undefined && last.text === '' && last.calls.length === 0
  return (
    <section aria-label={`Answer of ${of.model}`} className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h2 className="num min-w-0 text-caption text-muted [overflow-wrap:anywhere]">{of.model}</h2>
        {isOneOfSeveral && isAnswering(of) && (
          <Button size="small" kind="quiet" aria-label={`Stop ${of.model}`} onClick={onStop}>
            <Square className="size-3 fill-current" aria-hidden />
            Stop
          </Button>
        )}
      </div>
      {of.rounds.map((round, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only added
        <Round key={at} of={round} isLast={round === last} onDecide={onDecide} />
      ))}
      {isWaiting && (
        <div role="status" aria-label="Waiting for the response" className="grid gap-2 py-1">
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3.5 w-2/5" />
        </div>
      )}
      {finish && <p className="text-table text-warn">{finish}</p>}
      {of.state === 'stopped' && <p className="text-table text-muted">Stopped</p>}
      {of.error && (
        <Notice tone="bad">
          {of.error} {chargeOf(of, isOneOfSeveral)} {of.isShort && <CreditsLink />}
        </Notice>
      )}
      <AnswerFooter of={of} rate={rate} />
    </section>
  )
}

type RoundProps = { of: ChatRound; isLast: boolean; onDecide: Props['onDecide'] }

function Round({ of, isLast, onDecide }: RoundProps) {
  return (
    <>
      {of.reasoning && (
        <details open={of.text === '' && isLast} className="text-muted">
          <summary className="text-table">Reasoning</summary>
          <p className="mt-1 border-l-2 pl-3 text-table [overflow-wrap:anywhere] whitespace-pre-wrap">{of.reasoning}</p>
        </details>
      )}
      {of.text && <AnswerText text={of.text} />}
      {of.calls.map((call) => (
        <ToolStep key={call.id} of={call} onDecide={(isYes) => onDecide(call.id, isYes)} />
      ))}
      {!isLast && of.cost && (
        <p className="text-caption text-muted">
          {creditsText(of.cost.charged)} for this request{' '}
          {of.requestId && (
            <Link href={`/usage?receipt=${of.requestId}`} prefetch={false} className="text-accent hover:underline">
              Receipt
            </Link>
          )}
        </p>
      )}
    </>
  )
}

/** What a failure cost, and what happens to the message. */
function chargeOf(answer: ChatAnswer, isOneOfSeveral: boolean): string {
  const charged = answerCharge(answer)
  const isKnown = answer.rounds.at(-1)?.cost !== null
  const charge = !isKnown
    ? 'If it was charged, the charge appears in Usage.'
    : charged === 0
      ? 'Nothing was charged.'
      : `${formatCredits(charged)} ${charged === 1 ? 'credit was' : 'credits were'} charged for the part that arrived.`
  const ignored = answerText(answer) ? 'this response is not part of the conversation' : ''
  if (isOneOfSeveral) return charge
  return `${charge} Your message is kept below${ignored && `; ${ignored}`}.`
}
