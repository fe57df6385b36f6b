import { memo } from 'react'
import { cn } from '../ui/cn'
import { AnswerView } from './answer-view'
import type { ChatTurn } from './turn'

type Props = {
  of: ChatTurn
  rate: number
  onStop: (turnId: number, at: number) => void
  onDecide: (callId: string, isYes: boolean) => void
}

const COLUMNS = ['', 'lg:grid-cols-1', 'lg:grid-cols-2', 'lg:grid-cols-3']

/** One message and its answers side by side. */
export const ChatTurnView = memo(function TurnView({ of, rate, onStop, onDecide }: Props) {
  const { id, message, images, answers } = of
  return (
    <article aria-label={`Turn ${id}`} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b pb-5 last:border-b-0">
      <div className="max-w-[85%] justify-self-end rounded bg-accent-weak px-3.5 py-2">
        <h2 className="sr-only">You</h2>
        {message && <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{message}</p>}
        {images.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-2">
            {images.map(({ name, url }) => (
              <li key={url.slice(-80)}>
                {/* biome-ignore lint/performance/noImgElement: it is a data: URI already here */}
                <img src={url} alt={name} className="max-h-32 max-w-48 rounded border" />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={cn('grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4', COLUMNS[answers.length])}>
        {answers.map((answer, at) => (
          <AnswerView
            key={answer.model}
            of={answer}
            rate={rate}
            isOneOfSeveral={answers.length > 1}
            onStop={() => onStop(id, at)}
            onDecide={onDecide}
          />
        ))}
      </div>
    </article>
  )
})
