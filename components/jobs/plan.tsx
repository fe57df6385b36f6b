import type { PlanDetails, RunPrice } from '@/server/agent/shape'
import { Credits, formatCredits } from '../ui/amount'

const Tools = ({ ids }: { ids: readonly string[] }) => (
  <ul aria-label="Tools" className="mt-1 flex flex-wrap gap-1.5">
    {ids.map((id) => (
      <li
        key={id}
        className="num rounded border bg-sunken px-1.5 py-0.5 text-caption text-muted [overflow-wrap:anywhere]"
      >
        {id}
      </li>
    ))}
  </ul>
)

/** What the whole run will cost, and how that is known. */
const WholePrice = ({ price: { from, to, basis, runs } }: { price: RunPrice }) => (
  <>
    The whole run: about{' '}
    <span className="font-semibold">
      {from === to ? '' : `${formatCredits(from)} to `}
      <Credits value={to} unit />
    </span>
    , the model's own steps included,{' '}
    {basis === 'history' ? `as your last ${runs} runs like it` : 'by the price of its tokens'}
  </>
)

/** What an agent is going to do: its steps with their tools, and what they may cost. */
export function Plan({ plan, price }: { plan: PlanDetails; price?: RunPrice }) {
  const { summary, steps, totalCredits, creditsLeft, feedback, answers } = plan
  const isTooMuch = (price?.to ?? totalCredits) > creditsLeft
  return (
    <div className="grid gap-3">
      <p className="max-w-[80ch] whitespace-pre-wrap [overflow-wrap:anywhere]">{summary}</p>
      {(feedback || answers) && (
        <dl className="grid max-w-[80ch] gap-1 rounded border bg-raised p-3 text-table">
          {feedback && (
            <>
              <dt className="text-caption text-muted">Your feedback</dt>
              <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{feedback}</dd>
            </>
          )}
          {answers && (
            <>
              <dt className="text-caption text-muted">What has changed</dt>
              <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{answers}</dd>
            </>
          )}
        </dl>
      )}
      <ol aria-label="Steps of the plan" className="rounded border bg-raised">
        {steps.map(({ title, tools, credits }, i) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a plan that is shown never changes
            key={i}
            className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-2.5 border-b px-3 py-2 last:border-b-0"
          >
            <span className="num text-muted" aria-hidden="true">
              {i + 1}
            </span>
            <div className="min-w-0">
              <p className="[overflow-wrap:anywhere]">{title}</p>
              {tools.length > 0 && <Tools ids={tools} />}
            </div>
            <span className="text-right text-table">{credits === 0 ? 'Free' : <Credits value={credits} unit />}</span>
          </li>
        ))}
      </ol>
      <p className="text-table">
        {price ? (
          <WholePrice price={price} />
        ) : (
          <>
            Its calls: <Credits value={totalCredits} unit className="font-semibold" />, besides the model's own steps
          </>
        )}
        . {formatCredits(creditsLeft)} left.
      </p>
      {isTooMuch && <p className="text-table text-bad">It may cost more than what is left.</p>}
    </div>
  )
}
