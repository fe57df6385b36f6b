import Link from 'next/link'
import { Credits } from '../ui/amount'
import { Badge, type Tone } from '../ui/badge'
import { asCheck, CHECK_WORDS, checkText } from './check-text'
import type { JobTurn, TestedCheck } from './shape'

const VERDICTS: Record<NonNullable<TestedCheck['verdict']>, { word: string; tone: Tone }> = {
  passed: { word: 'Passed', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  error: { word: 'Not tested', tone: 'warn' },
}

/** How many checks passed, in words; null: there are none. */
export function passedText(checks: readonly TestedCheck[] | undefined): string | null {
  if (!checks) return null
  return `${checks.filter(({ verdict }) => verdict === 'passed').length} of ${checks.length} passed`
}

/** What the judges of a run have cost, in credits. */
export const judgeCredits = (checks: readonly TestedCheck[] = []): number =>
  checks.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)

const Verdict = ({ of: { verdict }, isLive }: { of: TestedCheck; isLive: boolean }) =>
  verdict === null ? (
    <Badge>{isLive ? 'Not yet' : 'Not tested'}</Badge>
  ) : (
    <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].word}</Badge>
  )

/** What came of the checks of a run, each with its reason and what it cost. */
export function Verdicts({ turn }: { turn: JobTurn }) {
  const { checks } = turn
  if (!checks) return null
  const credits = judgeCredits(checks)
  return (
    <section aria-label={`Checks of turn ${turn.number}`} className="rounded border bg-raised">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 border-b px-3 py-2 text-table">
        <h3 className="font-medium text-muted">Checks: {passedText(checks)}</h3>
        {credits > 0 && (
          <span className="text-muted">
            Judged for <Credits value={credits} unit />
          </span>
        )}
      </div>
      <ul>
        {checks.map((check, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the checks of a run stay as they are
          <li key={at} className="flex gap-3 border-b px-3 py-2 text-table last:border-b-0">
            <span className="w-20 shrink-0">
              <Verdict of={check} isLive={turn.endedAt === null} />
            </span>
            <div className="min-w-0 flex-1">
              <p className="[overflow-wrap:anywhere]">
                <span className="text-muted">
                  {CHECK_WORDS[check.kind]}
                  {check.path ? ` at ${check.path}` : ''}:{' '}
                </span>
                {checkText(asCheck(check))}
              </p>
              {check.reason && <p className="mt-0.5 text-muted [overflow-wrap:anywhere]">{check.reason}</p>}
              {check.requestId && (
                <p className="mt-0.5 text-caption text-muted">
                  <span className="num">{check.model}</span>,{' '}
                  <Link href={`/usage?receipt=${check.requestId}`} className="text-accent underline underline-offset-2">
                    <Credits value={check.creditsCharged} unit />
                  </Link>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
