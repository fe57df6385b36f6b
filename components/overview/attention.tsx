import { CalendarX, CircleAlert, CircleCheck, Hand, KeyRound, type LucideIcon, Webhook } from 'lucide-react'
import Link from 'next/link'
import { May } from '../shell/role'
import { formatCredits } from '../ui/amount'
import { DismissWebhooks } from './dismiss-webhooks'
import type { OverviewData } from './shape'

type Need = OverviewData['attention'][number]

const KINDS: Record<Need['kind'], { icon: LucideIcon; of: string }> = {
  job: { icon: Hand, of: 'waiting runs' },
  balance: { icon: CircleAlert, of: '' },
  key_budget: { icon: KeyRound, of: 'keys nearly used up' },
  schedule: { icon: CalendarX, of: 'paused schedules' },
  webhook: { icon: Webhook, of: 'receivers of failed webhooks' },
}

/** What is beyond the first of a kind, with a link where they are listed. */
const More = ({ need: { kind, more, href } }: { need: Need }) => {
  const text = `and ${formatCredits(more)} more ${KINDS[kind].of}`
  return (
    <li className="px-3 py-1.5 pl-9.5 text-table">
      {href ? (
        <Link href={href} prefetch={false} className="text-accent underline underline-offset-2">
          {text}
        </Link>
      ) : (
        <span className="text-muted">{text}</span>
      )}
    </li>
  )
}

/** What needs the owner's attention, the first of each kind, with links. */
export const Attention = ({ needs }: { needs: OverviewData['attention'] }) =>
  needs.length === 0 ? (
    <p className="flex items-center gap-2.5 rounded border bg-raised px-3 py-2 text-muted">
      <CircleCheck className="size-4 shrink-0" aria-hidden />
      Nothing needs your attention.
    </p>
  ) : (
    <ul className="divide-y rounded border bg-raised">
      {needs.flatMap((need) => {
        const Icon = KINDS[need.kind].icon
        return [
          ...need.items.map(({ text, href, receiver }) => (
            <li key={href + text} className="flex items-center">
              <Link
                href={href}
                prefetch={false}
                className="flex min-w-0 flex-1 items-center gap-2.5 px-3 py-2 hover:bg-sunken"
              >
                <Icon className="size-4 shrink-0 text-warn" aria-hidden />
                <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
              </Link>
              {receiver !== undefined && (
                <May to="overview.dismissWebhooks">
                  <DismissWebhooks of={receiver} />
                </May>
              )}
            </li>
          )),
          ...(need.more > 0 ? [<More key={need.kind} need={need} />] : []),
        ]
      })}
    </ul>
  )
