import { formatCredits, formatUsd } from '../ui/amount'
import { formatDuration } from '../ui/format-time'

/** The steps of a run as its receipts have them, recorded with simulated providers. */
const STEPS = [
  { what: 'northwind/gale-4', text: 'Chooses a tool: 2 157 tokens in, 28 out', held: 53, charged: 19, ms: 398 },
  { what: 'crypto_get_prices', text: 'bitcoin, ethereum: 2 rows', held: 3, charged: 3, ms: 18 },
  { what: 'northwind/gale-4', text: 'Writes the answer: 2 372 tokens in, 197 out', held: 44, charged: 27, ms: 514 },
] as const
const CAP = 500
const SECONDS_APART = 1.4
const sum = STEPS.reduce((credits, { charged }) => credits + charged, 0)

const creditsOf = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`

/** What its receipt says of a step. */
const Receipt = ({ of: { held, charged } }: { of: (typeof STEPS)[number] }) => (
  <details className="mt-1">
    <summary className="cursor-pointer text-accent">Receipt</summary>
    <dl className="mt-1 divide-y rounded border bg-sunken px-3">
      {[
        ['Held before, the most it could cost', creditsOf(held)],
        ['Charged after', creditsOf(charged)],
        ['Released', creditsOf(held - charged)],
      ].map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 py-1">
          <dt className="text-muted">{name}</dt>
          <dd className="num whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  </details>
)

const arrivesAt = (at: number) => ({ animationDelay: `${at * SECONDS_APART}s` })

/** Shows its steps one after the other; all at once to who wants no motion, and without styles. */
export const RecordedRun = ({ rate }: { rate: number }) => (
  <section aria-labelledby="recorded-run" className="min-w-0">
    <h2 id="recorded-run" className="mb-2 font-semibold">
      A run, and what each step cost
    </h2>
    <div className="rounded border bg-raised text-table">
      <p className="flex flex-wrap justify-between gap-x-4 border-b px-3 py-2">
        <span className="font-medium">Compare the prices of bitcoin and ethereum</span>
        <span className="text-muted">at most {CAP} credits</span>
      </p>
      <ol>
        {STEPS.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a recording never changes
          <li key={at} className="step-arrives border-b px-3 py-2" style={arrivesAt(at)}>
            <span className="flex flex-wrap justify-between gap-x-4">
              <span className="num">{step.what}</span>
              <span className="num text-muted">
                {creditsOf(step.charged)}, {formatDuration(step.ms)}
              </span>
            </span>
            <span className="block text-muted">{step.text}</span>
            <Receipt of={step} />
          </li>
        ))}
      </ol>
      <p className="step-arrives px-3 py-2 font-medium" style={arrivesAt(STEPS.length)}>
        {formatCredits(sum)} credits in all <span className="font-normal text-muted">≈ {formatUsd(sum, rate)}</span>
      </p>
    </div>
    <p className="mt-1 text-caption text-muted">Recorded with simulated providers.</p>
  </section>
)
