import Link from 'next/link'
import type { ReactNode } from 'react'
import { MayOpen } from '../shell/role'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { Meter, MeterLegend } from '../ui/meter'
import { Card, Facts } from '../ui/page'
import { TimeAgo } from '../ui/time-ago'
import { PRODUCT_LABELS } from '../usage/receipt-labels'
import { Resets } from './budget-use'
import type { MemberChoice } from './scope-fields'
import { type ShownBudget, WINDOWS } from './shape'

/** What a budget allows, and what is spent and held of it. */
export function BudgetSpend({ of, creditsPerUsd }: { of: ShownBudget; creditsPerUsd: number }) {
  const { credits, spent, held, window, scope, resetsAt, name } = of
  const isEach = scope.customers === 'each'
  const amounts = { whole: credits, spent, reserved: held, low: credits - spent - held < credits / 10 }
  return (
    <Card className="grid gap-3">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Credits value={credits} unit className="text-title font-semibold" />
          <span>
            {WINDOWS[window]}
            {isEach && ', for each customer'}
          </span>
          <Usd credits={credits} rate={creditsPerUsd} className="text-caption" />
        </p>
        <p className="text-muted">
          <Resets at={resetsAt} />
        </p>
      </div>
      {isEach ? (
        <p className="border-t pt-3">
          All customers together: <Credits value={spent} unit /> spent
          {held > 0 && (
            <>
              , <Credits value={held} /> reserved
            </>
          )}
        </p>
      ) : (
        <div className="grid gap-1.5 border-t pt-3">
          <Meter label={name} {...amounts} />
          <MeterLegend {...amounts} />
        </div>
      )}
    </Card>
  )
}

const list = (names: readonly string[]) => (
  <ul className="grid gap-0.5">
    {names.map((name) => (
      <li key={name} className="wrap-anywhere">
        {name}
      </li>
    ))}
  </ul>
)

type Props = {
  of: ShownBudget
  keyNames: readonly { id: number; name: string }[]
  members: readonly MemberChoice[]
}

/** Which calls a budget counts. */
export function BudgetScopeFacts({ of, keyNames, members }: Props) {
  const { scope, externalId, createdAt, requestsPerMinute, tokensPerMinute } = of
  const { keys, tags, customers, products, tools, models } = scope
  const emailOf = new Map(members.map(({ personId, email }) => [personId, email]))
  const nameOf = new Map(keyNames.map(({ id, name }) => [id, name]))
  const rows: (readonly [string, ReactNode])[] = [
    ['Products', products ? list(products.map((product) => PRODUCT_LABELS[product])) : 'All'],
    ...(tools ? [['Tools', list(tools)] as const] : []),
    ...(models ? [['Models', list(models)] as const] : []),
    ...(!tools && !models ? [['Tools and models', 'All'] as const] : []),
    ['Tags of keys', tags ? list(tags) : 'Any'],
    [
      'Keys',
      keys ? (
        <ul key="k" className="grid gap-0.5">
          {keys.map((id) => (
            <li key={id}>
              <MayOpen as="viewer" otherwise={`Key ${id}`}>
                <Link href={`/keys/${id}`} prefetch={false} className="text-accent underline underline-offset-2">
                  <bdi>{nameOf.get(id) ?? `Key ${id}`}</bdi>
                </Link>
              </MayOpen>
            </li>
          ))}
        </ul>
      ) : (
        'All'
      ),
    ],
    ...(scope.members
      ? [['Members', list(scope.members.map((id) => emailOf.get(id) ?? `Former member ${id}`))] as const]
      : []),
    [
      'Customers',
      customers === 'each' ? 'Each by itself' : customers ? list(customers) : 'All, and calls that name none',
    ],
    ...(requestsPerMinute ? [['Requests per minute', formatCredits(requestsPerMinute)] as const] : []),
    ...(tokensPerMinute ? [['Tokens per minute', formatCredits(tokensPerMinute)] as const] : []),
    ...(externalId ? [['External id', externalId] as const] : []),
    ['Created', <TimeAgo key="c" at={createdAt} />],
  ]
  return (
    <Card>
      <Facts rows={rows} />
    </Card>
  )
}
