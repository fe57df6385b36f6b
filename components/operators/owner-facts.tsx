import { Credits } from '../ui/amount'
import { Card, Facts, Notice } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import type { OperatorOwnerDetails } from './views'

const signInOf = ({ hasPassword, providers }: OperatorOwnerDetails): string =>
  [...(hasPassword ? ['password'] : []), ...providers].join(', ') || 'none'

/** Who an owner is, and how its credits are. */
export const OwnerFacts = ({ of }: { of: OperatorOwnerDetails }) => (
  <div className="grid gap-4">
    {of.suspendedFor !== null && (
      <Notice tone="bad">
        Suspended {of.suspendedAt && <TimeAgo at={of.suspendedAt} />}: {of.suspendedFor}
      </Notice>
    )}
    <div className="grid gap-4 lg:grid-cols-2">
      <Card>
        <Facts
          rows={[
            ['Available', <Credits key="a" value={of.available} unit />],
            ['Reserved', <Credits key="h" value={of.held} unit />],
            ['Spent this month', <Credits key="s" value={of.spentThisMonth} unit />],
            ['Calls in progress', <span key="c">{of.calls}</span>],
          ]}
        />
      </Card>
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
