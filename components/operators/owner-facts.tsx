import { Credits, formatCredits } from '../ui/amount'
import { Meter, MeterLegend } from '../ui/meter'
import { Card, Facts, Notice } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import type { OperatorOwnerDetails } from './views'

const signInOf = ({ hasPassword, providers }: OperatorOwnerDetails): string =>
  [...(hasPassword ? ['password'] : []), ...providers].join(', ') || 'none'

type Limits = OperatorOwnerDetails['limits']

const Used = ({ of: { used, most, isDefault } }: { of: Limits['callsInProgress'] }) => (
  <span>
    <span className="num">
      {formatCredits(used)} of {formatCredits(most)}
    </span>
    {isDefault && <span className="text-muted"> (default)</span>}
  </span>
)

/** What an owner may do over all its keys, and what of that is used. */
const OwnerLimits = ({ of: { requestsPerMinute, callsInProgress, creditsPerDay } }: { of: Limits }) => {
  const amounts = creditsPerDay && {
    whole: creditsPerDay.credits,
    spent: creditsPerDay.spent,
    reserved: creditsPerDay.held,
    low: creditsPerDay.remaining < creditsPerDay.credits / 10,
  }
  return (
    <Card className="grid gap-2">
      <Facts
        rows={[
          ['Requests in this minute', <Used key="r" of={requestsPerMinute} />],
          ['Calls in progress', <Used key="c" of={callsInProgress} />],
          ['Limit a day (UTC)', amounts ? <Credits key="d" value={amounts.whole} unit /> : 'none'],
        ]}
      />
      {amounts && (
        <>
          <Meter label="Limit of today" {...amounts} />
          <MeterLegend {...amounts} />
        </>
      )}
    </Card>
  )
}

/** Who an owner is, and how its credits are. */
export const OwnerFacts = ({ of }: { of: OperatorOwnerDetails }) => (
  <div className="grid gap-4">
    {of.suspendedFor !== null && (
      <Notice tone="bad">
        Suspended {of.suspendedAt && <TimeAgo at={of.suspendedAt} />}: {of.suspendedFor}
      </Notice>
    )}
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="grid content-start gap-4">
        <Card>
          <Facts
            rows={[
              ['Available', <Credits key="a" value={of.available} unit />],
              ['Reserved', <Credits key="h" value={of.held} unit />],
              ['Spent this month', <Credits key="s" value={of.spentThisMonth} unit />],
            ]}
          />
        </Card>
        <OwnerLimits of={of.limits} />
      </div>
      <Card>
        <Facts
          rows={[
            [
              'Owner id',
              <span key="i" className="num">
                {of.id}
              </span>,
            ],
            ['Created', <ExactTime key="c" at={of.createdAt} />],
            ['Signs in with', signInOf(of)],
            ['Signed in', of.sessions === 1 ? 'in 1 browser' : `in ${of.sessions} browsers`],
            ['Time zone', of.timeZone],
          ]}
        />
      </Card>
    </div>
  </div>
)
