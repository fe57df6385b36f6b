import { lazy, Suspense, useDeferredValue } from 'react'

/** Loaded with the first answer: the page itself needs no Markdown. */
const Markdown = lazy(() => import('../ui/markdown').then(({ Markdown }) => ({ default: Markdown })))

/** What a model wrote, as Markdown; as plain text until that is loaded. */
export function AnswerText({ text }: { text: string }) {
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
