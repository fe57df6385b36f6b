import type { CreditBalance, Pace } from '@/server/credits/shape'
import { count } from '../keys/summary'
import { Credits, Usd } from '../ui/amount'
import { Meter, MeterLegend } from '../ui/meter'
import { Card } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import type { OverviewData } from './shape'

/** How long the balance lasts, in a sentence. */
function describePace({ daysLeft, of }: Pace): string {
  if (of === 'new') return 'How long it lasts is shown after some hours of calls.'
  if (daysLeft === null) return 'Nothing was spent in the last 7 days.'
  const rate = `at the rate of the last ${of === 'hours' ? '3 hours, which cost more than usual' : '7 days'}`
  if (daysLeft > 365) return `Lasts more than a year ${rate}.`
  if (daysLeft < 1) return `Lasts about ${count(Math.max(1, Math.round(daysLeft * 24)), 'hour')} ${rate}.`
  return `Lasts about ${count(Math.floor(daysLeft), 'day')} ${rate}.`
}

/** What the account may spend today, over all its keys. */
function DailyLimit({ of }: { of: NonNullable<OverviewData['dailyLimit']> }) {
  const low = of.remaining < of.credits / 10
  const amounts = { whole: of.credits, spent: of.spent, reserved: of.held, low }
  return (
    <div className="grid gap-2 border-t pt-3">
      <p>
        Limit of today: <Credits value={of.credits} unit />
      </p>
      <Meter label="Limit of today" {...amounts} />
      <MeterLegend {...amounts} />
      <p className="text-caption text-muted">
        For all keys together, set by the operator. Begins anew <TimeAgo at={of.resetsAt} />,{' '}
        <ExactTime at={of.resetsAt} />
        {of.remaining <= 0 && '. Calls are refused until then.'}
      </p>
    </div>
  )
}

/** What may still be spent, what is held, and how long it lasts. */
export const BalanceCard = ({
  balance,
  pace,
  dailyLimit,
  rate,
}: Pick<OverviewData, 'pace' | 'dailyLimit'> & { balance: CreditBalance; rate: number }) => (
  <Card className="grid gap-2">
    <div className="flex flex-wrap items-baseline gap-x-3">
      <Credits value={balance.available} unit className="text-title font-semibold" />
      <Usd credits={balance.available} rate={rate} className="text-caption" />
    </div>
    <Meter label="Balance" whole={balance.available + balance.held} reserved={balance.held} />
    <MeterLegend whole={balance.available + balance.held} reserved={balance.held} />
    {pace && <p className="text-muted">{describePace(pace)}</p>}
    {dailyLimit && <DailyLimit of={dailyLimit} />}
  </Card>
)
