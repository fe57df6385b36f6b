import type { KeyView } from '@/server/keys/shape'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { Meter, MeterLegend } from '../ui/meter'
import { Card, Facts } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import type { KeyOptions } from './options'

const list = (names: readonly string[]) => (
  <ul className="grid gap-0.5">
    {names.map((name) => (
      <li key={name} className="num">
        {name}
      </li>
    ))}
  </ul>
)

/** What a key has spent, what is held, and what it may still spend. */
export function KeySpend({ of, creditsPerUsd }: { of: KeyView; creditsPerUsd: number }) {
  const { spent, held, budget, remaining } = of
  const low = budget !== null && (remaining ?? 0) < budget / 10
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Credits value={spent} unit className="text-title font-semibold" /> <span>spent</span>
        <Usd credits={spent} rate={creditsPerUsd} className="text-caption" />
      </div>
      {budget !== null && (
        <div className="grid gap-1.5">
          <Meter label="Budget" whole={budget} spent={spent} reserved={held} low={low} />
          <MeterLegend whole={budget} spent={spent} reserved={held} low={low} />
        </div>
      )}
      <Facts
        rows={[
          [
            'Lifetime budget',
            budget === null ? 'None, the balance is the limit' : <Credits key="b" value={budget} unit />,
          ],
          ...(remaining === null
            ? []
            : ([['Remaining', <Credits key="r" value={Math.max(remaining, 0)} unit />]] as const)),
          ['Held now', <Credits key="h" value={held} unit />],
          ['Last used', of.lastUsedAt ? <TimeAgo key="l" at={of.lastUsedAt} /> : 'Never'],
        ]}
      />
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
          ['Tools', tools],
          ['Models', of.llm ? models : 'None'],
          [
            'Agents',
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
          ['Created', <TimeAgo key="c" at={of.createdAt} />],
          [
            'Secret',
            <span key="s">
              <span className="num">tg_…{of.last4}</span>
              {of.rotation && of.state !== 'revoked' && of.state !== 'expired' && (
                <span className="block text-warn">
                  <span className="num">tg_…{of.rotation.last4}</span> is still valid, expires{' '}
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
