import Link from 'next/link'
import type { ReactNode } from 'react'
import type { KeyView } from '@/server/keys/shape'
import { May, MayOpen } from '../shell/role'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { Meter, MeterLegend } from '../ui/meter'
import { Card, Facts, Notice } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import { PERIOD_BUDGET } from './key-budget'
import { KeyTags } from './key-tags'
import type { KeyOptions } from './options'
import { SCOPE_NAMES, secretHint } from './scopes'

const list = (names: readonly string[]) => (
  <ul className="grid gap-0.5">
    {names.map((name) => (
      <li key={name} className="num wrap-anywhere">
        {name}
      </li>
    ))}
  </ul>
)

type BudgetProps = { title: string; of: { whole: number; spent: number; held: number }; note?: ReactNode }

/** A budget as a meter with its legend. */
function Budget({ title, of: { whole, spent, held }, note }: BudgetProps) {
  const amounts = { whole, spent, reserved: held, low: whole - spent - held < whole / 10 }
  return (
    <div className="grid gap-1.5 border-t pt-3">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <Credits value={whole} unit />
      </p>
      <Meter label={title} {...amounts} />
      <MeterLegend {...amounts} />
      {note && <p className="text-caption text-muted">{note}</p>}
    </div>
  )
}

/** What a key has spent, what is held, and what its budgets leave. */
export function KeySpend({ of, creditsPerUsd }: { of: KeyView; creditsPerUsd: number }) {
  const { spent, held, budget, recurringBudget } = of
  return (
    <Card className="grid gap-3">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Credits value={spent} unit className="text-title font-semibold" /> <span>spent</span>
          <Usd credits={spent} rate={creditsPerUsd} className="text-caption" />
        </p>
        {held > 0 && (
          <p className="text-muted">
            <Credits value={held} unit /> reserved for calls in progress
          </p>
        )}
      </div>
      {recurringBudget && (
        <Budget
          title={PERIOD_BUDGET[recurringBudget.every]}
          of={{ whole: recurringBudget.credits, spent: recurringBudget.spent, held: recurringBudget.held }}
          note={
            <>
              Begins anew <TimeAgo at={recurringBudget.resetsAt} />, <ExactTime at={recurringBudget.resetsAt} />
            </>
          }
        />
      )}
      {budget !== null && <Budget title="Lifetime budget" of={{ whole: budget, spent, held }} />}
      {of.state === 'spent' && (
        <Notice tone="warn">
          Calls with this key are refused: its lifetime budget is spent.{' '}
          <May to="keys.change" otherwise="A developer of the account can raise it.">
            <Link href={`/keys/${of.id}/edit`} className="underline underline-offset-2">
              Raise the budget
            </Link>
          </May>
        </Notice>
      )}
      {budget === null && (
        <p className="border-t pt-3 text-muted">
          {recurringBudget ? 'No lifetime budget.' : 'No budget: the balance is the limit.'}
        </p>
      )}
    </Card>
  )
}

/** What a key may call, how often and how long. */
export function KeyGrants({ of, options }: { of: KeyView; options: KeyOptions }) {
  const labels = new Map(options.capabilities.map(({ id, label }) => [id, label]))
  const tools =
    of.tools === 'all' ? 'Every tool, also those added later' : of.tools.length > 0 ? list(of.tools) : 'None'
  const models = of.allowedModels.length === 0 ? 'Any' : list(of.allowedModels)
  return (
    <Card>
      <Facts
        rows={[
          [SCOPE_NAMES.tools, tools],
          [SCOPE_NAMES.llm, of.llm ? models : 'None'],
          [
            SCOPE_NAMES.agent,
            of.agent ? <span key="a">At most {formatCredits(of.agentRunBudgetCredits)} credits per job</span> : 'None',
          ],
          ...(of.agent
            ? ([['Capability groups', of.capabilities?.map((c) => labels.get(c) ?? c).join(', ') ?? 'All']] as const)
            : []),
          [
            'Requests per minute',
            <span key="rpm" className="num">
              {formatCredits(of.rpm)}
            </span>,
          ],
          [
            'Expires',
            of.expiresAt ? (
              <span key="e">
                <ExactTime at={of.expiresAt} />{' '}
                <span className="text-muted">
                  (<TimeAgo at={of.expiresAt} />)
                </span>
              </span>
            ) : (
              'Never'
            ),
          ],
          ...(of.client
            ? ([
                [
                  'Held by',
                  <span key="h">
                    <bdi>{of.client.name}</bdi>, allowed through OAuth; returns to{' '}
                    <span className="num">{of.client.redirectUri}</span>
                  </span>,
                ],
              ] as const)
            : []),
          [
            'Customers',
            of.customer ? <bdi key="u">{of.customer}</bdi> : of.namesCustomers ? 'Named by its calls' : 'None',
          ],
          ['Tags', of.tags.length > 0 ? <KeyTags key="t" tags={of.tags} /> : 'None'],
          ['Last used', of.lastUsedAt ? <TimeAgo key="l" at={of.lastUsedAt} /> : 'Never'],
          [
            'Created',
            <span key="c">
              <TimeAgo at={of.createdAt} />{' '}
              <MayOpen as="admin">
                <Link href="/settings/audit" className="text-accent underline underline-offset-2">
                  Audit log
                </Link>
              </MayOpen>
            </span>,
          ],
          ...(of.revokedAt ? ([['Revoked', <TimeAgo key="v" at={of.revokedAt} />]] as const) : []),
          [
            'Secret',
            <span key="s">
              <span className="num">{secretHint(of, of.last4)}</span>
              {of.client?.tokenExpiresAt && of.state !== 'revoked' && (
                <span className="block text-muted">
                  An access token that the application renews. Expires <TimeAgo at={of.client.tokenExpiresAt} />
                </span>
              )}
              {of.rotation && of.state !== 'revoked' && of.state !== 'expired' && (
                <span className="block text-warn">
                  <span className="num">{secretHint(of, of.rotation.last4)}</span> is still valid, expires{' '}
                  <TimeAgo at={of.rotation.until} />
                </span>
              )}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}
