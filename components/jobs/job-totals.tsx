import { Credits, formatCredits, Usd } from '../ui/amount'

/** What the jobs that match the filters amount to. */
export const JobTotalsLine = ({ jobs, credits, rate }: { jobs: number; credits: number; rate: number }) => (
  <p className="mb-2 flex flex-wrap items-baseline gap-x-2 text-table text-muted">
    <span>
      {formatCredits(jobs)} {jobs === 1 ? 'job' : 'jobs'},
    </span>
    <span>
      <Credits value={credits} unit className="text-text" /> spent
    </span>
    <Usd credits={credits} rate={rate} className="text-caption" />
  </p>
)
